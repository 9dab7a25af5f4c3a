import { isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import { features, type Feature } from '@tapedeck/plans/contract';
import type { Databases } from '@tapedeck/platform/databases';
import type { MemberFeatures } from '@tapedeck/platform/http';
import { accessAt, featureMissing, featuresOf, isFreeFor, type Access } from '../domain/access.ts';
import { readMembership } from '../projections/memberships.ts';
import type { MembershipConfig } from '../settings.ts';

/** How long an answer of yes is remembered: one view of the explorer sends many requests. */
const rememberedMs = 3_000;
const maxRemembered = 10_000;

type Remembered = Readonly<{ access: Access; at: number }>;

const featureOf = (name: string): Feature => {
  const feature = features.find((known) => known === name);
  if (feature) return feature;
  throw new Error(`No plan has a feature "${name}".`);
};

const isRecent = ({ access: { until }, at }: Remembered, now: number): boolean =>
  now >= at && now - at < rememberedMs && (until === null || Date.parse(until) > now);

/** What an account may use at this instant. */
export const memberFeatures = (
  databases: Databases,
  clock: Clock,
  { ENTITLEMENTS: mode }: Pick<MembershipConfig, 'ENTITLEMENTS'>,
): MemberFeatures => {
  const remembered = new Map<AccountId, Remembered>();
  const includes = ({ tier }: Access, feature: Feature): boolean => featuresOf(tier, mode).includes(feature);

  const ask = async (account: AccountId, feature: Feature): Promise<boolean> => {
    const access = accessAt(await readMembership(databases, account), isoNow(clock));
    if (!includes(access, feature)) return false;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(account, { access, at: clock.now() });
    return true;
  };

  return {
    has: ({ id, roles }, name) => {
      const feature = featureOf(name);
      if (isFreeFor(roles, feature, mode)) return true;
      const known = remembered.get(id);
      // An answer of no is not remembered: a member that has just paid gets access at once.
      if (known && isRecent(known, clock.now()) && includes(known.access, feature)) return true;
      return ask(id, feature);
    },
    missing: (name) => featureMissing(featureOf(name)),
  };
};
