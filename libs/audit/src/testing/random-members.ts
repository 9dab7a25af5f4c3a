import { favouritesStream } from '@tapedeck/favourites/events';
import { accountStream } from '@tapedeck/identity/events';
import { accountId, newId, type AccountId, type JsonObject } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { checkoutStream, subscriptionStream } from '@tapedeck/payments/events';
import { stripeEventStream } from '@tapedeck/stripe/events';
import fc from 'fast-check';

/** What happens to purchases and accounts, each by its number. */
export type Step = Readonly<{
  what:
    | 'start'
    | 'start by e-mail'
    | 'pay'
    | 'claim'
    | 'transfer'
    | 'favourite'
    | 'renew'
    | 'entitlement'
    | 'stripe: subscription'
    | 'stripe: intent'
    | 'stripe: customer'
    | 'stripe: charge'
    | 'stripe: invoice'
    | 'stripe: somebody else';
  purchase: number;
  account: number;
}>;

const whats: readonly Step['what'][] = [
  'pay',
  'pay',
  'claim',
  'transfer',
  'favourite',
  'renew',
  'entitlement',
  'stripe: subscription',
  'stripe: intent',
  'stripe: customer',
  'stripe: charge',
  'stripe: invoice',
  'stripe: somebody else',
];

const laterSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ what: fc.constantFrom(...whats), purchase: fc.nat(2), account: fc.nat(2) }),
  { minLength: 5, maxLength: 40 },
);
const begins: readonly Step['what'][] = ['start', 'start by e-mail'];
const firstSteps = fc.tuple(
  ...[0, 1, 2].map((purchase) =>
    fc.record({ what: fc.constantFrom(...begins), purchase: fc.constant(purchase), account: fc.nat(2) }),
  ),
);

/** Three purchases begin, and then anything happens. */
export const randomSteps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(firstSteps, laterSteps)
  .map(([first, later]) => [...first, ...later]);

type Purchase = Readonly<{
  intent: string;
  subscription: string;
  customer: string;
  charge: string;
  invoice: string;
}>;

type About = 'account' | 'checkout' | 'subscription' | 'customer' | 'money' | 'nobody';

/** One event to append, and what it is about. */
export type Told = Readonly<{ stream: string; type: string; data: JsonObject; about: About; number: number }>;

/** The ids of one run. */
export type Cast = Readonly<{ accounts: readonly AccountId[]; purchases: readonly Purchase[] }>;

export const newCast = (): Cast => {
  const run = newId().replaceAll('-', '');
  return {
    accounts: [0, 1, 2].map(() => accountId(newId())),
    purchases: [0, 1, 2].map((at) => ({
      intent: newId(),
      subscription: `sub_${run}${at}`,
      customer: `cus_${run}${at}`,
      charge: `ch_${run}${at}`,
      invoice: `in_${run}${at}`,
    })),
  };
};

const time = '2026-11-22T12:00:00.000Z';
const plan = { tier: 'Pro', period: 'monthly' } as const;

const stripeEvent = (given: JsonObject, about: About, number: number): Told => {
  const eventId = `evt_${newId().replaceAll('-', '')}`;
  const none = { customerId: null, subscriptionId: null, invoiceId: null, chargeId: null, intentId: null };
  const data = {
    eventId,
    type: 'invoice.paid',
    apiVersion: null,
    livemode: false,
    account: null,
    createdAt: time,
    objectType: null,
    objectId: null,
    checkoutSessionId: null,
    source: 'webhook',
    body: '{}',
    personalSubject: `stripeObject:${eventId}`,
    ...none,
    ...given,
  };
  return { stream: stripeEventStream(eventId), type: 'StripeEventReceived', data, about, number };
};

/** The events of a step. */
export const eventsOf = (
  { what, purchase: at, account: who }: Step,
  { accounts, purchases }: Cast,
): readonly Told[] => {
  const account = accounts[who];
  const purchase = purchases[at];
  if (!account || !purchase) return [];
  const { intent: intentId, subscription: subscriptionId, customer: customerId, charge, invoice } = purchase;
  const bought = { about: 'subscription', number: at } as const;
  const ofCheckout = { about: 'checkout', number: at } as const;
  const own = { about: 'account', number: who } as const;
  const onSubscription = { stream: subscriptionStream(subscriptionId), ...bought };
  const started = (owner: AccountId | null): Told => ({
    stream: checkoutStream(intentId),
    type: 'CheckoutStarted',
    data: {
      intentId,
      accountId: owner,
      email: 'buyer@example.com',
      emailHash: 'hash',
      ...plan,
      intro: false,
      claimSecretHash: null,
      personalSubject: owner ?? `checkout:${intentId}`,
    },
    ...ofCheckout,
  });
  switch (what) {
    case 'start':
      return [started(account)];
    case 'start by e-mail':
      return [started(null)];
    case 'pay': {
      const payment = {
        subscriptionId,
        invoiceId: invoice,
        amountPaid: 999,
        currency: 'usd',
        reason: 'subscription_cycle',
        plan,
        periodStart: time,
        periodEnd: time,
        chargeId: charge,
        paymentIntentId: null,
        paidAt: time,
      };
      const paid = { intentId, sessionId: `cs_${intentId}`, subscriptionId, customerId, paidAt: time };
      return [
        { ...onSubscription, type: 'PaymentRecorded', data: payment },
        { stream: checkoutStream(intentId), type: 'CheckoutPaid', data: paid, ...ofCheckout },
      ];
    }
    case 'claim':
      return [
        {
          ...onSubscription,
          type: 'PaymentClaimed',
          data: { subscriptionId, intentId, accountId: account, proof: 'mailbox' },
        },
      ];
    case 'transfer': {
      const hand = { fromAccountId: null, fromEmailHash: 'hash', toAccountId: account, proof: 'support' };
      return [{ ...onSubscription, type: 'PaymentTransferred', data: { subscriptionId, intentId, ...hand } }];
    }
    case 'favourite':
      return [
        {
          stream: favouritesStream(account),
          type: 'FavouriteRemoved',
          data: { accountId: account, urlId: 'S1', revision: 1 },
          ...own,
        },
      ];
    case 'renew':
      return [
        {
          stream: membershipStream(account),
          type: 'MembershipRenewed',
          data: { accountId: account, subscriptionId, paidUntil: time, graceUntil: time },
          ...own,
        },
      ];
    case 'entitlement':
      return [
        {
          stream: subscriptionStream(subscriptionId),
          type: 'EntitlementChanged',
          data: {
            accountId: account,
            subscriptionId,
            intentId,
            phase: 'active',
            tier: 'Pro',
            period: 'monthly',
            paidUntil: time,
          },
          ...own,
        },
      ];
    case 'stripe: subscription':
      return [stripeEvent({ subscriptionId, customerId }, 'subscription', at)];
    case 'stripe: intent':
      return [stripeEvent({ intentId }, 'checkout', at)];
    case 'stripe: customer':
      return [stripeEvent({ customerId }, 'customer', at)];
    case 'stripe: charge':
      return [stripeEvent({ chargeId: charge }, 'money', at)];
    case 'stripe: invoice':
      return [stripeEvent({ invoiceId: invoice }, 'money', at)];
    case 'stripe: somebody else':
      return [stripeEvent({ customerId: `cus_else_${newId()}` }, 'nobody', 0)];
    default:
      return what satisfies never;
  }
};

/** The first event of an account. */
export const registered = (
  accountId: AccountId,
  email = 'ada@example.com',
): Readonly<{ stream: string; type: string; data: JsonObject }> => ({
  stream: accountStream(accountId),
  type: 'AccountRegistered',
  data: {
    accountId,
    issuer: 'sandbox',
    subject: email,
    email,
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Lovelace',
    profileImageUrl: null,
  },
});
