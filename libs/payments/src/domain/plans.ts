/** Tiers that are sold, and those that only a grant gives (D34). */
export const paidTiers = ['Pro', 'Elite'] as const;
export type PaidTier = (typeof paidTiers)[number];

export const billingPeriods = ['monthly', 'annual'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export type Plan = Readonly<{ tier: PaidTier; period: BillingPeriod }>;
