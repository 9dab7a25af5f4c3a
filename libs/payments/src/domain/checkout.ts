import type { Decider } from '@tapedeck/eventing/core';
import { DomainError } from '@tapedeck/kernel';
import type { CheckoutEvent, CheckoutStarted } from './checkout-events.ts';
import { isSamePlan, type Plan } from '@tapedeck/plans/contract';

type Begun = Omit<CheckoutStarted['data'], 'email'>;

/** One intention to buy. */
export type Checkout =
  | Readonly<{ status: 'none' }>
  | Readonly<{ status: 'started'; begun: Begun }>
  | Readonly<{ status: 'open'; begun: Begun; sessionId: string; expiresAt: string }>
  | Readonly<{ status: 'paid'; begun: Begun; sessionId: string; subscriptionId: string; customerId: string }>
  | Readonly<{ status: 'refused'; begun: Begun; sessionId: string }>
  | Readonly<{ status: 'expired'; begun: Begun }>;

export type StartCheckout = Readonly<{ type: 'StartCheckout'; checkout: CheckoutStarted['data'] }>;
export type OpenCheckoutSession = Readonly<{
  type: 'OpenCheckoutSession';
  sessionId: string;
  expiresAt: string;
}>;
/** `plan`: what was bought as Stripe says, null for a price that is not ours. */
export type RecordCheckoutPaid = Readonly<{
  type: 'RecordCheckoutPaid';
  sessionId: string;
  subscriptionId: string;
  customerId: string;
  plan: Plan | null;
  paidAt: string;
}>;
export type ExpireCheckout = Readonly<{ type: 'ExpireCheckout' }>;
export type CheckoutCommand = StartCheckout | OpenCheckoutSession | RecordCheckoutPaid | ExpireCheckout;

const unknown = (): DomainError =>
  new DomainError('not-found', 'CHECKOUT_NOT_FOUND', 'There is no such checkout: start again.');

const open = (command: OpenCheckoutSession, state: Checkout): readonly CheckoutEvent[] => {
  if (state.status === 'none') throw unknown();
  if (state.status !== 'started') return [];
  const { sessionId, expiresAt } = command;
  return [{ type: 'CheckoutSessionOpened', data: { intentId: state.begun.intentId, sessionId, expiresAt } }];
};

/** Money that was paid counts, also when the checkout seemed to have expired. */
const paid = (command: RecordCheckoutPaid, state: Checkout): readonly CheckoutEvent[] => {
  const { sessionId, subscriptionId, customerId, plan, paidAt } = command;
  switch (state.status) {
    case 'none':
      throw unknown();
    case 'refused':
      return [];
    case 'paid':
      if (state.subscriptionId === subscriptionId) return [];
      throw new DomainError(
        'conflict',
        'CHECKOUT_PAID_ALREADY',
        `The checkout ${state.begun.intentId} has led to another subscription already: refund one of them.`,
      );
    case 'started':
    case 'open':
    case 'expired': {
      const { intentId, tier, period } = state.begun;
      return plan && isSamePlan(plan, { tier, period })
        ? [{ type: 'CheckoutPaid', data: { intentId, sessionId, subscriptionId, customerId, paidAt } }]
        : [{ type: 'CheckoutRefused', data: { intentId, sessionId, subscriptionId, reason: 'other-price' } }];
    }
    default:
      return state satisfies never;
  }
};

const expire = (state: Checkout): readonly CheckoutEvent[] => {
  if (state.status === 'none') throw unknown();
  if (state.status !== 'started' && state.status !== 'open') return [];
  const sessionId = state.status === 'open' ? state.sessionId : null;
  return [{ type: 'CheckoutExpired', data: { intentId: state.begun.intentId, sessionId } }];
};

const decide = (command: CheckoutCommand, state: Checkout): readonly CheckoutEvent[] => {
  switch (command.type) {
    case 'StartCheckout':
      return state.status === 'none' ? [{ type: 'CheckoutStarted', data: command.checkout }] : [];
    case 'OpenCheckoutSession':
      return open(command, state);
    case 'RecordCheckoutPaid':
      return paid(command, state);
    case 'ExpireCheckout':
      return expire(state);
    default:
      return command satisfies never;
  }
};

const evolve = (state: Checkout, event: CheckoutEvent): Checkout => {
  if (event.type === 'CheckoutStarted') {
    const { email: _email, ...begun } = event.data;
    return { status: 'started', begun };
  }
  if (state.status === 'none') return state;
  const { begun } = state;
  switch (event.type) {
    case 'CheckoutSessionOpened': {
      const { sessionId, expiresAt } = event.data;
      return { status: 'open', begun, sessionId, expiresAt };
    }
    case 'CheckoutPaid': {
      const { sessionId, subscriptionId, customerId } = event.data;
      return { status: 'paid', begun, sessionId, subscriptionId, customerId };
    }
    case 'CheckoutRefused':
      return { status: 'refused', begun, sessionId: event.data.sessionId };
    case 'CheckoutExpired':
      return { status: 'expired', begun };
    default:
      return event satisfies never;
  }
};

export const checkoutDecider: Decider<Checkout, CheckoutCommand, CheckoutEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
