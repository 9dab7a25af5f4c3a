import { accountStream } from '@tapedeck/identity/events';
import { accountId, newId, type AccountId, type JsonObject } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { subscriptionStream } from '@tapedeck/payments/events';
import { stripeEventStream } from '@tapedeck/stripe/events';

export type StoredEvent = Readonly<{
  id: string;
  stream: string;
  version: number;
  type: string;
  data: JsonObject;
  metadata: JsonObject;
}>;

export type BenchMember = Readonly<{ accountId: AccountId; size: number; events: readonly StoredEvent[] }>;

const dayMs = 86_400_000;
const begin = Date.parse('1990-01-01T00:00:00.000Z');
const dayAt = (number: number): string => new Date(begin + number * dayMs).toISOString();
const plan = { tier: 'Pro', period: 'monthly' } as const;

type Parts = Readonly<{ account: AccountId; subscriptionId: string; intentId: string; customerId: string }>;

/** A renewal: what Stripe sent, what was read, its entitlement, and the membership that follows it. */
const renewal = (
  { account, subscriptionId, intentId, customerId }: Parts,
  number: number,
): readonly (readonly [stream: string, type: string, data: JsonObject])[] => {
  const [periodStart, periodEnd] = [dayAt(number), dayAt(number + 1)];
  const eventId = `evt_${subscriptionId.slice(4)}${number}`;
  const [invoiceId, chargeId] = [
    `in_${subscriptionId.slice(4)}${number}`,
    `ch_${subscriptionId.slice(4)}${number}`,
  ];
  const none = { account: null, checkoutSessionId: null, apiVersion: null, objectType: 'invoice' };
  const received = {
    eventId,
    type: 'invoice.paid',
    livemode: false,
    createdAt: periodStart,
    objectId: invoiceId,
  };
  const named = { customerId, subscriptionId, invoiceId, chargeId, intentId };
  const amounts = { amount: 999, currency: 'usd' };
  const observed = { status: 'active', priceId: 'price_pro_monthly', plan, ...amounts, startedAt: dayAt(0) };
  const ends = {
    cancelAtPeriodEnd: false,
    cancelAt: null,
    endedAt: null,
    scheduledPlan: null,
    pendingPlan: null,
  };
  const entitlement = {
    phase: 'active',
    stripeStatus: 'active',
    ...plan,
    paidUntil: periodEnd,
    pastDueSince: null,
  };
  const noEnd = { nextAttemptAt: null, endsAt: null, endReason: null, endedAt: null, scheduledPlan: null };
  const paid = { subscriptionId, paidUntil: periodEnd, graceUntil: dayAt(number + 15) };
  const read = {
    observedAt: periodStart,
    apiVersion: 'bench',
    personalSubject: `subscription:${subscriptionId}`,
  };
  const body = { body: null, personalSubject: `stripeCustomer:${customerId}`, source: 'webhook' };
  return [
    [stripeEventStream(eventId), 'StripeEventReceived', { ...none, ...received, ...named, ...body }],
    [
      subscriptionStream(subscriptionId),
      'SubscriptionObserved',
      {
        subscriptionId,
        customerId,
        intentId,
        ...observed,
        periodStart,
        periodEnd,
        ...ends,
        latestInvoiceId: invoiceId,
        card: null,
        ...read,
      },
    ],
    [
      subscriptionStream(subscriptionId),
      'PaymentRecorded',
      {
        subscriptionId,
        invoiceId,
        amountPaid: 999,
        currency: 'usd',
        reason: 'subscription_cycle',
        plan,
        periodStart,
        periodEnd,
        chargeId,
        paymentIntentId: null,
        paidAt: periodStart,
      },
    ],
    [
      subscriptionStream(subscriptionId),
      'EntitlementChanged',
      { accountId: account, subscriptionId, intentId, ...entitlement, ...noEnd, isDisputed: false },
    ],
    [
      membershipStream(account),
      number === 0 ? 'MembershipActivated' : 'MembershipRenewed',
      { accountId: account, ...paid, ...(number === 0 ? plan : {}) },
    ],
  ];
};

/** A member whose history has about `size` events: a renewal a day. */
export const memberWith = (size: number): BenchMember => {
  const account = accountId(newId());
  const name = newId().replaceAll('-', '');
  const parts = { account, subscriptionId: `sub_${name}`, intentId: newId(), customerId: `cus_${name}` };
  const { subscriptionId, intentId } = parts;
  const person = { issuer: 'bench', subject: name, email: `${name}@example.com`, emailVerified: true };
  const versions = new Map<string, number>();
  const events: StoredEvent[] = [];
  const add = (
    stream: string,
    type: string,
    data: JsonObject,
    occurredAt: string,
    causationId: string,
  ): string => {
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    const id = newId();
    const actor = { actorId: 'system', actorKind: 'system' };
    const metadata = { ...actor, occurredAt, correlationId: causationId, causationId };
    events.push({ id, stream, version, type, data, metadata });
    return id;
  };
  const names = { firstName: 'Bench', lastName: name, profileImageUrl: null };
  add(
    accountStream(account),
    'AccountRegistered',
    { accountId: account, ...person, ...names },
    dayAt(0),
    'bench',
  );
  const claimed = { subscriptionId, intentId, accountId: account, proof: 'checkout' };
  add(subscriptionStream(subscriptionId), 'PaymentClaimed', claimed, dayAt(0), 'bench');
  const opened = { accountId: account, subscriptionId, intentId };
  add(membershipStream(account), 'MembershipOpened', opened, dayAt(0), 'bench');
  for (let number = 0; events.length < size; number++) {
    let cause = 'bench';
    for (const [stream, type, data] of renewal(parts, number)) {
      const id = add(stream, type, data, dayAt(number), cause);
      if (type === 'StripeEventReceived') cause = id;
    }
  }
  return { accountId: account, size, events };
};
