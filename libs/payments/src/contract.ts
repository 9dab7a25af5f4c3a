import type { PaidTier, Plan } from '@tapedeck/plans/contract';

export * from './wire/billing.ts';
export * from './wire/checkout.ts';
export * from './wire/money.ts';
export * from './wire/offers.ts';
export * from './wire/plan-names.ts';
export * from './wire/prices.ts';
export * from './wire/queues.ts';

/** In the stream of changes (`platformRoutes.changes`): what the account has bought or paid has changed. */
export const billingTopic = 'billing';

export const paymentRoutes = {
  /** For members: the body says for which period. */
  checkout: (tier: PaidTier) => `/api/create-${tier.toLowerCase()}-subscription`,
  /** For visitors, who give an e-mail address. */
  anonymousCheckout: ({ tier, period }: Plan) =>
    `/api/create-${tier.toLowerCase()}${period === 'annual' ? '-annual' : ''}-subscription-anonymous`,
  verify: (sessionId: string) => `/api/verify-payment/${sessionId}`,
  link: '/api/link-payment',
  claimCode: '/api/claims/code',
  claim: '/api/claims',
  cancel: '/api/cancel-subscription',
  resume: '/api/membership/resume',
  withdraw: '/api/membership/withdraw',
  previewChange: '/api/membership/change/preview',
  change: '/api/membership/change',
  /** DELETE: keeps the plan that a scheduled change would leave. */
  scheduledChange: '/api/membership/change',
  billing: '/api/membership/billing',
  billingPortal: '/api/create-billing-portal',
  paymentPage: '/api/membership/payment-page',
  invoice: (invoiceId: string) => `/api/membership/invoices/${invoiceId}`,
} as const;

/** The addresses of its screens. */
export const paymentScreens = ['/payment-success', '/pay', '/admin/queues', '/admin/prices'] as const;
