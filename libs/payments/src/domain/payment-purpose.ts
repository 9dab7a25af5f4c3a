const purposes: Readonly<Record<string, string>> = {
  subscription_create: 'first payment',
  subscription_cycle: 'renewal',
  subscription_update: 'change of plan',
};

/** In words, by Stripe's `billing_reason`; undefined for reasons that say nothing to a member. */
export const paymentPurpose = (reason: string): string | undefined => purposes[reason];

type NamedPlan = Readonly<{ tier: string; period: string }>;

/**
 * What a payment was for.
 *
 * @example
 * paidForText({ tier: 'Pro', period: 'monthly' }, 'subscription_cycle') // 'Pro monthly, renewal'
 */
export const paidForText = (plan: NamedPlan | null, reason: string): string =>
  [plan === null ? 'Payment' : `${plan.tier} ${plan.period}`, paymentPurpose(reason)]
    .filter((part) => part !== undefined)
    .join(', ');
