import { DomainError, dayMs } from '@tapedeck/kernel';
import {
  features,
  missingFeatureText,
  planOf,
  rankOf,
  type BillingPeriod,
  type Feature,
  type Tier,
} from '@tapedeck/plans/contract';
import { checkDelayMs, type Membership, type MemberSubscription } from './membership.ts';

export type AccessStatus = 'none' | 'pending' | 'active' | 'grace' | 'suspended' | 'ended' | 'complimentary';

/** Where access comes from. */
export type AccessSource =
  | Readonly<{ kind: 'subscription'; subscriptionId: string }>
  | Readonly<{ kind: 'grant'; grantId: string }>;

/** What a member may use at one instant, and why. */
export type Access = Readonly<{
  tier: Tier;
  /** Whether there is more than Free. */
  hasAccess: boolean;
  status: AccessStatus;
  period: BillingPeriod | null;
  /** When access ends unless something happens; null without access, and for a grant without an end. */
  until: string | null;
  source: AccessSource | null;
  /** The subscription that the status speaks of, with access or without. */
  subscription: MemberSubscription | null;
}>;

const earlier = (a: string, b: string | null): string => (b !== null && b < a ? b : a);

/** Until when a subscription grants access if nothing more is paid; undefined when it grants none. */
export const accessUntil = ({ phase, tier, graceUntil, endsAt }: MemberSubscription): string | undefined => {
  if (tier === null || graceUntil === null || (phase !== 'active' && phase !== 'grace')) return undefined;
  return earlier(graceUntil, endsAt);
};

/** A renewal takes an hour or so: until the check that follows, it counts as active. */
const isInGrace = ({ phase, paidUntil }: MemberSubscription, now: string): boolean =>
  paidUntil !== null &&
  paidUntil <= now &&
  (phase === 'grace' || Date.parse(paidUntil) + checkDelayMs <= Date.parse(now));

const accessBySubscription = (subscription: MemberSubscription, now: string): Access | undefined => {
  const until = accessUntil(subscription);
  const { tier, period, subscriptionId } = subscription;
  if (until === undefined || until <= now || tier === null) return undefined;
  return {
    tier,
    hasAccess: true,
    status: isInGrace(subscription, now) ? 'grace' : 'active',
    period,
    until,
    source: { kind: 'subscription', subscriptionId },
    subscription,
  };
};

const statusWithoutAccess = (subscription: MemberSubscription, now: string): AccessStatus => {
  const { phase, endsAt } = subscription;
  if (phase === 'pending' || phase === 'suspended' || phase === 'ended') return phase;
  return endsAt !== null && endsAt <= now ? 'ended' : 'suspended';
};

const orderOf = ({ tier, until, source }: Access): string =>
  `${rankOf(tier)} ${until ?? '9'} ${source?.kind === 'subscription' ? 1 : 0}`;

const best = (all: readonly Access[]): Access | undefined =>
  all.reduce<Access | undefined>(
    (first, access) => (first && orderOf(first) >= orderOf(access) ? first : access),
    undefined,
  );

/**
 * What the member may use at an instant. Of several subscriptions and grants the best one counts: by tier, then by how
 * long it lasts. Without access it has the status of the newest subscription.
 */
export const accessAt = ({ subscriptions, grants }: Membership, now: string): Access => {
  const bySubscription = subscriptions.flatMap(
    (subscription) => accessBySubscription(subscription, now) ?? [],
  );
  const byGrant = grants
    .filter(({ until }) => until === null || until > now)
    .map(({ grantId, tier, until }): Access => ({
      tier,
      hasAccess: true,
      status: 'complimentary',
      period: null,
      until,
      source: { kind: 'grant', grantId },
      subscription: null,
    }));
  // A first payment that was never completed is not the end of a membership.
  const newest = subscriptions.findLast(({ endReason }) => endReason !== 'abandoned') ?? null;
  return (
    best([...bySubscription, ...byGrant]) ?? {
      tier: 'Free',
      hasAccess: false,
      status: newest ? statusWithoutAccess(newest, now) : 'none',
      period: null,
      until: null,
      source: null,
      subscription: newest,
    }
  );
};

/** Days of access from `now` on, a begun day counts; null without an end. */
export const daysLeft = ({ until }: Pick<Access, 'until'>, now: string): number | null =>
  until === null ? null : Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now)) / dayMs));

/** `open`: every signed-in member uses the catalogue. `advertised`: as the plans describe it. */
export const entitlementModes = ['open', 'advertised'] as const;
export type EntitlementMode = (typeof entitlementModes)[number];

/**
 * What the mode `open` gives to every member. The export is for paid members in every mode
 * (docs/product-decisions.md#csv-export); a grant counts as paid.
 */
const openToAll: readonly Feature[] = ['explorer', 'sourceCode', 'favourites'];

const has = (tier: Tier, feature: Feature, mode: EntitlementMode): boolean =>
  planOf(tier).features.includes(feature) || (mode === 'open' && openToAll.includes(feature));

/** Roles that use every feature, so that they can help members with it. */
const rolesWithEverything: readonly string[] = ['support', 'admin'];

/** Whether the membership makes no difference. */
export const isFreeFor = (roles: readonly string[], feature: Feature, mode: EntitlementMode): boolean =>
  has('Free', feature, mode) || roles.some((role) => rolesWithEverything.includes(role));

export const featureMissing = (feature: Feature): DomainError =>
  new DomainError('forbidden', 'FEATURE_NOT_INCLUDED', missingFeatureText(feature));

export const featuresOf = (
  tier: Tier,
  mode: EntitlementMode,
  roles: readonly string[] = [],
): readonly Feature[] =>
  features.filter((feature) => has(tier, feature, mode) || isFreeFor(roles, feature, mode));
