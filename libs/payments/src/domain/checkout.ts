import {
  commandTarget,
  defineEvents,
  type Decider,
  type DomainEvent,
  type Personal,
} from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { isSamePlan, type BillingPeriod, type PaidTier, type Plan } from '@tapedeck/plans/contract';

/** The server's own random id of one intention to buy; its checkout session and its subscription contain it. */
export type IntentId = string;

export type CheckoutStarted = DomainEvent<
  'CheckoutStarted',
  {
    intentId: IntentId;
    /** The account that has begun it while signed in; null for a purchase by e-mail, which grants nothing until it is claimed. */
    accountId: AccountId | null;
    email: Personal<string>;
    /** Keyed hash of the folded e-mail address: the same address has the same hash, also once it is forgotten. */
    emailHash: string;
    tier: PaidTier;
    period: BillingPeriod;
    /** Whether the first month has the introductory price (docs/product-decisions.md#introductory-price). */
    intro: boolean;
    /** SHA-256 of the claim secret in the buyer's browser; null while signed in. */
    claimSecretHash: string | null;
    /** The key of the personal fields: the account, or the intent for a purchase by e-mail. */
    personalSubject: string;
  }
>;

export type CheckoutSessionOpened = DomainEvent<
  'CheckoutSessionOpened',
  { intentId: IntentId; sessionId: string; expiresAt: string }
>;

/** The session is complete and its subscription is known. The subscription's events say whether it is paid. */
export type CheckoutPaid = DomainEvent<
  'CheckoutPaid',
  { intentId: IntentId; sessionId: string; subscriptionId: string; customerId: string; paidAt: string }
>;

/** The session was paid, but not for the plan of the intent: it grants nothing, and goes back. */
export type CheckoutRefused = DomainEvent<
  'CheckoutRefused',
  { intentId: IntentId; sessionId: string; subscriptionId: string | null; reason: 'other-price' }
>;

export type CheckoutExpired = DomainEvent<
  'CheckoutExpired',
  { intentId: IntentId; sessionId: string | null }
>;

export type CheckoutEvent =
  | CheckoutStarted
  | CheckoutSessionOpened
  | CheckoutPaid
  | CheckoutRefused
  | CheckoutExpired;

export const checkoutEvents = defineEvents<CheckoutEvent>({
  CheckoutStarted: { version: 1, personal: ['email'], subject: 'personalSubject' },
  CheckoutSessionOpened: { version: 1 },
  CheckoutPaid: { version: 1 },
  CheckoutRefused: { version: 1 },
  CheckoutExpired: { version: 1 },
});

export const checkoutStream = (intentId: IntentId): string => `checkout-${intentId}`;

/** The key of the personal data of a purchase by e-mail: forgetting its owner deletes it. */
export const intentSubject = (intentId: IntentId): string => `checkout:${intentId}`;

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

export const checkouts = commandTarget(checkoutDecider, checkoutEvents);
