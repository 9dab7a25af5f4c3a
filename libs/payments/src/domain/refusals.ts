/**
 * Stripe's codes of refusals that pass without a person, by what has to happen first. Sources: the error codes in Stripe's
 * documentation, and the requests of `@tapedeck/stripe`. Any other refusal of a refund, an end or a price waits for a person.
 */
const passing: Readonly<Record<string, 'money in the balance' | 'another change' | 'Stripe'>> = {
  balance_insufficient: 'money in the balance',
  insufficient_funds: 'money in the balance',
  lock_timeout: 'another change',
  idempotency_key_in_use: 'another change',
  charge_not_refundable_yet: 'Stripe',
  RENEWS_EARLIER: 'Stripe',
  processing_error: 'Stripe',
  OUTCOME_UNKNOWN: 'Stripe',
};

/** Of refunds that Stripe had accepted, and whose money did not arrive: it can be paid in another way. */
const undelivered: readonly string[] = ['refund_failed', 'NOT_CONFIRMED'];

/** Whether a person can settle a refund that was refused with this code. */
export const maySettle = (code: string): boolean => undelivered.includes(code);

/** Whether a refund, an end or a price that was refused with this code is requested again by itself. */
export const mayPass = (code: string): boolean => Object.hasOwn(passing, code);
