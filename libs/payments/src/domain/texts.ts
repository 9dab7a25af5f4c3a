import { isPeriodPaid, termsOf } from './entitlement.ts';
import type { StripeRequest } from './subscription-events.ts';
import type { Subscription } from './subscription.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Such as `Mar 14, 2027`: the day in UTC. */
export const dayText = (iso: string): string => {
  const [year, month, day] = iso.slice(0, 10).split('-').map(Number);
  return `${months[(month ?? 1) - 1]} ${day}, ${year}`;
};

/** Such as `Mar 14, 2027, 09:05:03 UTC`. */
export const timeText = (iso: string): string => `${dayText(iso)}, ${iso.slice(11, 19)} UTC`;

/** `isDisputed`: what the bank decides about cannot be refunded. */
export const withdrawalMessage = (receivedAt: string, isDisputed: boolean): string => {
  const end = isDisputed
    ? 'The subscription has ended. Your bank decides about the disputed payment, and anything else goes back to the card.'
    : 'The subscription has ended, and the payment goes back to the card.';
  return `We received your withdrawal on ${timeText(receivedAt)}. ${end} You get an e-mail that says the same.`;
};

/** Without the end of the grace, which the membership knows. */
const cancelledText = (state: Subscription): string => {
  const until = termsOf(state)?.endsAt ?? state.observed?.periodEnd;
  if (until === undefined) return 'Your subscription has been cancelled successfully.';
  return isPeriodPaid(state)
    ? `Your subscription is cancelled. Access lasts until ${dayText(until)}.`
    : `Your subscription is cancelled. The unpaid invoice may still be charged: once it is paid, access lasts until ${dayText(until)}.`;
};

/** What a change that Stripe has made means for the member. */
export const changeMessage = (request: StripeRequest, state: Subscription): string => {
  const { observed } = state;
  switch (request.kind) {
    case 'cancel':
      return cancelledText(state);
    case 'resume':
      return 'Your subscription continues and renews as before.';
    case 'upgrade':
      return `You have ${request.plan.tier} now.`;
    case 'downgrade':
      return observed
        ? `You change to ${request.plan.tier} (${request.plan.period}) on ${dayText(observed.periodEnd)}.`
        : `You change to ${request.plan.tier} at the end of the period.`;
    case 'keep-plan':
      return 'You keep your plan.';
    case 'announced-price':
    case 'keep-price':
      return 'The price of the next renewal has changed.';
    case 'end-now':
      return 'The subscription has ended.';
    case 'refund':
      return 'The payment was refunded.';
    case 'pay':
      return 'The invoice was paid.';
    default:
      return request satisfies never;
  }
};

/** What is under way, before Stripe has made it. */
export const processingText = (request: StripeRequest): string => {
  switch (request.kind) {
    case 'cancel':
      return 'The cancellation is under way.';
    case 'resume':
      return 'The cancellation is being undone.';
    case 'upgrade':
    case 'downgrade':
      return `The change to ${request.plan.tier} (${request.plan.period}) is under way.`;
    case 'keep-plan':
      return 'The scheduled change of the plan is being undone.';
    case 'announced-price':
    case 'keep-price':
    case 'end-now':
    case 'refund':
    case 'pay':
      return 'A change is under way.';
    default:
      return request satisfies never;
  }
};

const refusals: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card does not have enough money on it: pay with another card.',
  expired_card: 'The card has expired: pay with another card.',
  authentication_required: 'Your bank wants you to confirm the payment: follow the link.',
  payment_incomplete: 'The payment is not complete: follow the link to confirm it or to use another card.',
  AMOUNT_CHANGED: 'The amount has changed since it was shown: look at it again, then confirm.',
  NOT_CONFIRMED:
    'The payment provider has accepted the change but does not show it: reload the page, then try again.',
  IGNORED: 'Support has stopped the change before it was made: reload the page, then try again.',
  OUTCOME_UNKNOWN: 'The payment provider did not answer, and nothing was changed: try again.',
};

/** Codes that say something of the request, not of the card. */
const isOfRequest = (code: string): boolean =>
  /^(?:resource_|parameter_|invalid_request|[A-Z_]+$)/.test(code);

/** Why Stripe has refused a change, by its code. */
export const refusalMessage = (code: string, kind: StripeRequest['kind']): string => {
  const known = refusals[code];
  if (known !== undefined) return known;
  return kind === 'upgrade' && !isOfRequest(code)
    ? 'The payment was declined, and nothing was changed: check your card, then try again.'
    : 'The payment provider did not accept the change: reload the page, then try again.';
};
