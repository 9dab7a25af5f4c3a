import { describe, expect, it } from '@jest/globals';
import { stateAfter, typedEvents, type RecordedEvent } from '@tapedeck/eventing';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import type { AccountId } from '@tapedeck/kernel';
import { membershipEvents, membershipStream } from '@tapedeck/membership/events';
import { accessAt, membershipDecider } from '@tapedeck/membership/testing';
import { subscriptionStream, type SubscriptionEvent } from '@tapedeck/payments/events';
import {
  booksOf,
  reconcile,
  refundedAmount,
  subscriptionDecider,
  type Subscription,
} from '@tapedeck/payments/testing';
import type { PaidTier, Plan } from '@tapedeck/plans/contract';
import fc from 'fast-check';
import { openModel, planOf, people, recorded, ownerOf, type Model } from './money-history.ts';
import { buy, dayMs, often, plans, repeatRefused, starts, steps, tell } from './money-steps.ts';
import { graceDays } from './product-in-memory.ts';

type Paid = Readonly<{ amount: number; refunded: number; until: string }>;

/** What is recorded of a subscription's payments, in a few lines that know no entitlements. */
const paidOf = (events: readonly RecordedEvent<SubscriptionEvent>[]): readonly Paid[] => {
  const refunds = new Map(
    events.flatMap(({ type, data }) => (type === 'RefundRecorded' ? [[data.refundId, data] as const] : [])),
  );
  return events.flatMap(({ type, data }) => {
    if (type !== 'PaymentRecorded') return [];
    const own = [...refunds.values()].filter(({ invoiceId }) => invoiceId === data.invoiceId);
    const counted = own.filter(({ status }) => status === 'succeeded');
    const refunded = counted.reduce((sum, { amount }) => sum + amount, 0);
    return [{ amount: data.amountPaid, refunded, until: data.periodEnd }];
  });
};

const accessOf = ({ product, stripe }: Model, account: AccountId): ReturnType<typeof accessAt> => {
  const events = typedEvents(product.streams.get(membershipStream(account)) ?? [], membershipEvents);
  const state = stateAfter(membershipDecider, events);
  return accessAt(state, new Date(stripe.now()).toISOString());
};

const isPaidFor = (model: Model, account: AccountId): boolean =>
  model.bought
    .filter((bought) => ownerOf(model, bought) === account)
    .flatMap((bought) => paidOf(recorded(model, bought)))
    .filter(({ amount, refunded }) => amount === 0 || refunded < amount)
    .some(({ until }) => model.stripe.now() < Date.parse(until) + graceDays * dayMs);

const expectAccessIsPaid = (model: Model): void => {
  for (const account of people)
    if (accessOf(model, account).hasAccess && !isPaidFor(model, account))
      throw new Error(`${account} has access that nobody has paid for.`);
};

const tiers: readonly (PaidTier | 'Free' | 'Basic')[] = ['Free', 'Basic', 'Pro', 'Elite'];

/** A member whom Stripe regards as a subscriber, with nothing refunded or disputed, has at least that tier. */
const expectPaidIsAccess = (model: Model): void => {
  const { tables, now } = model.stripe;
  if (tables.all('refund').length + tables.all('dispute').length > 0) return;
  for (const bought of model.bought) {
    const subscription = tables.get('subscription', bought.id);
    const [item] = subscription?.items.data ?? [];
    const owner = ownerOf(model, bought);
    if (!item || !owner || subscription?.status !== 'active') continue;
    // What goes back gives nothing, also while Stripe refuses to give it back.
    if (stateAfter(subscriptionDecider, recorded(model, bought)).purchaseReturn) continue;
    if (item.current_period_end * 1_000 <= now()) continue;
    const tier = planOf(model, item.price.id)?.tier;
    // Of a price that belongs to no plan the plan that was paid last counts.
    if (tier === undefined) continue;
    if (tiers.indexOf(accessOf(model, owner).tier) < tiers.indexOf(tier))
      throw new Error(`${owner} has paid for ${tier} and has not got it.`);
  }
};

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** What Stripe has taken and given back, of our customers. */
const booksOfStripe = ({ stripe, bought }: Model): Readonly<{ charged: number; refunded: number }> => {
  const own = new Set(bought.map(({ customer }) => customer));
  const charges = stripe.tables
    .all('charge')
    .filter(({ customer, status }) => status === 'succeeded' && own.has(customer ?? ''));
  const ids = new Set(charges.map(({ id }) => id));
  const refunds = stripe.tables
    .all('refund')
    .filter(({ charge, status }) => status === 'succeeded' && ids.has(charge ?? ''));
  return {
    charged: sumOf(charges.map(({ amount }) => amount)),
    refunded: sumOf(refunds.map(({ amount }) => amount)),
  };
};

const expectBooksAgree = (model: Model): void => {
  const paid = model.bought.flatMap((bought) => paidOf(recorded(model, bought)));
  expect({
    charged: sumOf(paid.map(({ amount }) => amount)),
    refunded: sumOf(paid.map(({ refunded }) => refunded)),
  }).toEqual(booksOfStripe(model));
};

/** What a return owes is on its way, or waits for Stripe or for a person; what the bank has taken is owed no more. */
const expectReturnGoesOn = (state: Subscription): void => {
  const { purchaseReturn, payments, disputes, requests } = state;
  if (!purchaseReturn || Object.values(disputes).some(({ outcome }) => outcome === 'lost')) return;
  for (const payment of Object.values(payments)) {
    if (payment.amountPaid === 0 || purchaseReturn.keeps.includes(payment.invoiceId)) continue;
    if (refundedAmount(state, payment) >= payment.amountPaid) continue;
    const isOpen = Object.values(requests).some(
      ({ write, outcome }) =>
        write.kind === 'refund' &&
        write.invoiceId === payment.invoiceId &&
        (outcome === 'requested' || outcome === 'refused'),
    );
    if (!isOpen)
      throw new Error(`${payment.subscriptionId}: ${payment.invoiceId} is owed and waits for nothing.`);
  }
};

/** The rule behind the queues, of every subscription: also nothing of another product is recorded. */
const expectNothingFound = (model: Model): void => {
  const now = new Date(model.stripe.now()).toISOString();
  for (const bought of model.bought) {
    const state = stateAfter(subscriptionDecider, recorded(model, bought));
    expectReturnGoesOn(state);
    // A refund that the bank has sent back: a person has to find another way, and the queue is where it waits.
    if (!state.purchaseReturn && Object.values(state.refunds).some(({ status }) => status === 'failed'))
      continue;
    const books = booksOf(state, now);
    const found = books && reconcile(books, now);
    // An upgrade was paid in the hour before the renewal was charged, which then failed for good: it waits for a person.
    if (found && books.entitlement?.endReason === 'unpaid') continue;
    if (found) throw new Error(`${bought.id}: ${found.kind}, ${JSON.stringify(books)}`);
  }
  for (const { id } of model.foreign) expect(model.product.streams.has(subscriptionStream(id))).toBe(false);
};

const run = async (startMs: number, plan: Plan, names: readonly string[]): Promise<void> => {
  const model = openModel(startMs);
  await buy(model, plan, people[0]);
  for (const name of names) {
    const bought = model.bought.at(-1);
    model.stripe.advance(model.stripe.now() + 1_000);
    if (bought) await steps[name]?.(model, bought);
    await model.product.sendDue();
    expectAccessIsPaid(model);
  }
  await repeatRefused(model);
  // As the nightly sweep does.
  for (const bought of model.bought) await tell(model, bought);
  await model.product.sendDue();
  expectAccessIsPaid(model);
  expectPaidIsAccess(model);
  expectBooksAgree(model);
  expectNothingFound(model);
};

describe('money and access in any history', () => {
  it('agree with the books of Stripe: no access without a payment, and no payment without access or a queue', async () => {
    const names = fc.array(fc.constantFrom(...Object.keys(steps), ...often), { minLength: 4, maxLength: 16 });
    await checkAsyncProperty(
      fc.asyncProperty(fc.constantFrom(...starts), fc.constantFrom(...plans), names, run),
      { numRuns: 2_000 },
    );
  }, 300_000);
});
