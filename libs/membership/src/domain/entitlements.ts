import { DomainError } from '@tapedeck/kernel';
import { features, paidTiers, planOf, type Feature, type Tier } from '@tapedeck/plans/contract';

/** `open`: every signed-in member uses the catalogue. `advertised`: as the plans describe it. */
export const entitlementModes = ['open', 'advertised'] as const;
export type EntitlementMode = (typeof entitlementModes)[number];

/** What the mode `open` gives to everybody. The export is for paid members in every mode (docs/product-decisions.md#csv-export); a grant counts as paid. */
const openToAll: readonly Feature[] = ['explorer', 'sourceCode', 'favourites'];

const has = (tier: Tier, feature: Feature, mode: EntitlementMode): boolean =>
  planOf(tier).features.includes(feature) || (mode === 'open' && openToAll.includes(feature));

const names: Readonly<Record<Feature, string>> = {
  explorer: 'the Strategy Explorer',
  sourceCode: 'the source code of strategies',
  csvExport: 'the CSV export',
  favourites: 'favourites',
};

/** Roles that use every feature, so that they can help members with it. */
const rolesWithEverything: readonly string[] = ['support', 'admin'];

/** Whether the membership makes no difference. */
export const isFreeFor = (roles: readonly string[], feature: Feature, mode: EntitlementMode): boolean =>
  has('Free', feature, mode) || roles.some((role) => rolesWithEverything.includes(role));

export const featureMissing = (feature: Feature, mode: EntitlementMode): DomainError => {
  const upgrades = paidTiers.filter((tier) => has(tier, feature, mode)).join(' or ');
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
): readonly Feature[] =>
  features.filter((feature) => has(tier, feature, mode) || isFreeFor(roles, feature, mode));
