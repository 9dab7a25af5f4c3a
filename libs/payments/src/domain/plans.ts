/** Tiers that are sold, and those that only a grant gives (D34). */
export const paidTiers = ['Pro', 'Elite'] as const;
export type PaidTier = (typeof paidTiers)[number];

export const billingPeriods = ['monthly', 'annual'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export type Plan = Readonly<{ tier: PaidTier; period: BillingPeriod }>;

export const isSamePlan = (a: Plan, b: Plan): boolean => a.tier === b.tier && a.period === b.period;

/**
 * An upgrade takes effect at once and is charged at once; a downgrade takes effect at the end of the period. A lower tier
 * or a shorter period makes it a downgrade.
 */
export const changeKind = (from: Plan, to: Plan): 'none' | 'upgrade' | 'downgrade' => {
  if (isSamePlan(from, to)) return 'none';
  const isLower =
    paidTiers.indexOf(to.tier) < paidTiers.indexOf(from.tier) ||
    billingPeriods.indexOf(to.period) < billingPeriods.indexOf(from.period);
  return isLower ? 'downgrade' : 'upgrade';
};
