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

export const featuresOf = (tier: Tier, mode: EntitlementMode): readonly FeatureName[] =>
  featureNames.filter((feature) => table[feature][mode].includes(tier));
