import type { CheckoutEvent, IntroPriceEvent } from '@tapedeck/payments/events';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import type { EventTexts } from './event-texts.ts';
import { on, planText } from './words.ts';

const sources: Readonly<Record<StripeEventReceived['data']['source'], string>> = {
  webhook: 'Stripe sent',
  reconciliation: 'Found at Stripe by the reconciliation:',
  replay: 'Found at Stripe by a replay:',
};

export const checkoutTexts: EventTexts<CheckoutEvent | IntroPriceEvent | StripeEventReceived> = {
  CheckoutStarted: {
    lane: 'payment',
    text: ({ accountId, intro, ...plan }) =>
      `Checkout of ${planText(plan)} started${intro ? ' at the introductory price' : ''}${accountId === null ? ' by e-mail, without an account' : ''}`,
  },
  CheckoutSessionOpened: {
    lane: 'payment',
    text: ({ sessionId, expiresAt }) => `Checkout session ${sessionId} opened until ${on(expiresAt)}`,
  },
  CheckoutPaid: {
    lane: 'payment',
    text: ({ sessionId, subscriptionId }) =>
      `Checkout session ${sessionId} completed: subscription ${subscriptionId}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  CheckoutRefused: {
    lane: 'payment',
    text: ({ sessionId }) =>
      `Checkout session ${sessionId} was paid for another price than agreed: no access`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  CheckoutExpired: { lane: 'payment', text: () => 'Checkout expired without a payment' },
  IntroPriceReserved: {
    lane: 'payment',
    text: ({ until }) => `Introductory price reserved until ${on(until)}`,
  },
  IntroPriceReleased: { lane: 'payment', text: () => 'Introductory price released' },
  IntroPriceUsed: { lane: 'payment', text: () => 'Introductory price used' },
  StripeEventReceived: {
    lane: 'payment',
    text: ({ type, eventId, source }) => `${sources[source]} ${type} (${eventId})`,
    stripe: ({ eventId }) => eventId,
  },
};
