import { DomainError } from '@tapedeck/kernel';
import type { Access } from './access.ts';

export const featureNames = ['explorer', 'sourceCode', 'csvExport', 'favourites'] as const;
export type FeatureName = (typeof featureNames)[number];

/** `open`: every signed-in member uses the catalogue. `advertised`: as the plans describe it. */
export const entitlementModes = ['open', 'advertised'] as const;
export type EntitlementMode = (typeof entitlementModes)[number];

type Tier = Access['tier'];

/** Which tiers have a feature. The export is for paid members in every mode (D19); a grant counts as paid. */
const table: Readonly<Record<FeatureName, Readonly<Record<EntitlementMode, readonly Tier[]>>>> = {
  explorer: { open: ['Free', 'Basic', 'Pro', 'Elite'], advertised: ['Elite'] },
  sourceCode: { open: ['Free', 'Basic', 'Pro', 'Elite'], advertised: ['Elite'] },
  favourites: { open: ['Free', 'Basic', 'Pro', 'Elite'], advertised: ['Pro', 'Elite'] },
  csvExport: { open: ['Basic', 'Pro', 'Elite'], advertised: ['Basic', 'Pro', 'Elite'] },
};

const names: Readonly<Record<FeatureName, string>> = {
  explorer: 'the Strategy Explorer',
  sourceCode: 'the source code of strategies',
  csvExport: 'the CSV export',
  favourites: 'favourites',
};

/** The plans that can be bought. */
const plans: readonly Tier[] = ['Pro', 'Elite'];

/** Roles that use every feature, so that they can help members with it. */
const rolesWithEverything: readonly string[] = ['support', 'admin'];

/** Whether the membership makes no difference. */
export const isFreeFor = (roles: readonly string[], feature: FeatureName, mode: EntitlementMode): boolean =>
  table[feature][mode].includes('Free') || roles.some((role) => rolesWithEverything.includes(role));

export const featureMissing = (feature: FeatureName, mode: EntitlementMode): DomainError => {
  const upgrades = plans.filter((plan) => table[feature][mode].includes(plan)).join(' or ');
  return new DomainError(
    'forbidden',
    'FEATURE_NOT_INCLUDED',
    `Your plan does not include ${names[feature]}: upgrade to ${upgrades}.`,
  );
};

export const featuresOf = (
  tier: Tier,
  mode: EntitlementMode,
  roles: readonly string[] = [],
): readonly FeatureName[] =>
  featureNames.filter((feature) => table[feature][mode].includes(tier) || isFreeFor(roles, feature, mode));
