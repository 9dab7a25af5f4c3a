import { describe, expect, it } from '@jest/globals';
import {
  commandContext,
  commandTarget,
  dispatch,
  handle,
  stateAfter,
  type Effect,
  type EventStore,
  type EventTypes,
} from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { createShadow, runShadow, type ShadowCommand, type ShadowRun } from '@tapedeck/eventing/reactions';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import { accountId, commandId, derivedId, fixedClock } from '@tapedeck/kernel';
import { membershipEvents, membershipStream, type MembershipEvent } from '@tapedeck/membership/events';
import { membershipReactions } from '@tapedeck/membership/reactions';
import { accessAt, membershipDecider } from '@tapedeck/membership/testing';
import {
  checkoutStream,
  paymentEvents,
  stripeEventStream,
  subscriptionStream,
  type SubscriptionEvent,
} from '@tapedeck/payments/events';
import {
  checkouts,
  eventOfBody,
  readStreamNow,
  recordReading,
  startCheckoutOf,
  stripeAt,
  stripeEventDecider,
  stripeEventsEffect,
  stripeReads,
  stripeWrites,
  type StripePort,
} from '@tapedeck/payments/testing';
import { openStripeInProcess, type StripeInProcess } from '@tapedeck/sandbox/testing';
import fc from 'fast-check';
import { graceDays } from './product-in-memory.ts';

const ann = accountId(derivedId('ann'));
const intentId = 'intent-1';
const dayMs = 86_400_000;
const prices = {
  Pro: { monthly: 'price_pro_monthly', annual: 'price_pro_annual' },
  Elite: { monthly: 'price_elite_monthly', annual: 'price_elite_annual' },
} as const;
/** Nothing here is personal: keys are another test's subject. */
const types: EventTypes = Object.fromEntries(
  Object.entries({ ...paymentEvents, ...membershipEvents }).map(([type, { version }]) => [type, { version }]),
);
const noKeys = {
  keyFor: () => Promise.reject(new Error('Nothing is personal.')),
  keysOf: () => Promise.resolve(new Map()),
  forget: () => Promise.resolve(),
};
const received = commandTarget(stripeEventDecider, types);
const actor = { id: 'support', kind: 'support' } as const;
const reactions = membershipReactions({ GRACE_DAYS: graceDays });

type Stripe = Readonly<{ engine: StripeInProcess; port: StripePort; writes: () => number }>;

const openStripe = (startMs: number): Stripe => {
  const engine = openStripeInProcess(startMs);
  let last = 0;
  const clock = { now: () => (last = Math.max(last + 1, engine.now())) };
  const options = { stripe: engine.stripe, prices };
  const writing = stripeWrites({ ...options, introCoupon: 'pro_intro' });
  let writes = 0;
  const counted = Object.fromEntries(
    Object.entries(writing).map(([name, write]) => [
      name,
      (...args: readonly never[]) => {
        writes += 1;
        return (write as (...all: readonly never[]) => unknown)(...args);
      },
    ]),
    // The same functions under the same names.
  ) as typeof writing;
  return { engine, port: { ...stripeReads({ ...options, clock }), ...counted }, writes: () => writes };
};

type Product = Readonly<{ store: EventStore; known: Set<string> }>;

/** What arrives is handled as the projector would: reactions and effects, until nothing follows. */
const inShadow = async (
  { store }: Product,
  stripe: Stripe,
  roots: readonly ShadowCommand[],
): Promise<ShadowRun> => {
  const at = new Date(stripe.engine.now()).toISOString();
  const clock = fixedClock(stripe.engine.now());
  const shadow = await createShadow({ store, keys: noKeys, types, clock });
  const effects: readonly Effect[] = [
    stripeEventsEffect({ stripe: stripeAt(stripe.port, at), unclaimedRefundDays: 30 }),
  ];
  const signal = AbortSignal.timeout(20_000);
  return runShadow(shadow, { commands: roots }, { reactions, effects, clock, signal });
};

const apply = async ({ store }: Product, { commands }: ShadowRun): Promise<void> => {
  for (const { dispatch: one, context } of commands) {
    await handle(store, one.target.decider, one.target.types)(one.stream, one.command, context);
  }
};

type Listed = Readonly<{ id: string; root: ShadowCommand }>;

const listed = async ({ engine, port }: Stripe): Promise<readonly Listed[]> => {
  const found: Listed[] = [];
  const since = new Date(0).toISOString();
  for await (const { eventId, body } of port.listEvents({ since, undeliveredOnly: false })) {
    const event = eventOfBody(body);
    if (!event) continue;
    const command = { type: 'ReceiveStripeEvent', event: { ...event, source: 'replay' } } as const;
    const context = commandContext({
      actor,
      clock: fixedClock(engine.now()),
      commandId: commandId(derivedId('stripe event', eventId)),
    });
    found.push({
      id: eventId,
      root: { dispatch: dispatch(received, stripeEventStream(eventId), command), context },
    });
  }
  return found;
};

const receive = async (product: Product, stripe: Stripe, events: readonly Listed[]): Promise<ShadowRun> => {
  const unknown = events.filter(({ id }) => !product.known.has(id));
  const run = await inShadow(
    product,
    stripe,
    unknown.map(({ root }) => root),
  );
  await apply(product, run);
  for (const { id } of unknown) product.known.add(id);
  return run;
};

/** What Stripe says of the subscription now, with all of its money. */
const reread = async (product: Product, stripe: Stripe, subscriptionId: string): Promise<ShadowRun> => {
  const reading = await stripe.port.readSubscription(subscriptionId, 'all');
  if (!reading) throw new Error('Stripe does not know the subscription.');
  const now = new Date(stripe.engine.now()).toISOString();
  const options = { unclaimedRefundDays: 30, isSweep: false, now };
  const dispatches = await recordReading(reading, readStreamNow(product.store), options);
  const clock = fixedClock(stripe.engine.now());
  const roots = dispatches.map((one) => ({ dispatch: one, context: commandContext({ actor, clock }) }));
  const run = await inShadow(product, stripe, roots);
  await apply(product, run);
  return run;
};

/** Stripe lists events of 30 days. */
const listedMs = 30 * dayMs;

const startCheckout = async ({ store }: Product): Promise<void> => {
  const command = startCheckoutOf(ann, intentId, 'ann@example.com');
  // As `dispatch` passes it on: the decider gets only its own commands.
  const target = checkouts as unknown as ShadowCommand['dispatch']['target'];
  const context = commandContext({ actor, clock: fixedClock(0) });
  await handle(store, target.decider, types)(checkoutStream(intentId), command, context);
};

/** What it comes to: access now, and every payment and refund. */
const outcomeOf = async ({ store }: Product, stripe: Stripe, subscriptionId: string): Promise<unknown> => {
  const membership = await store.readStream(membershipStream(ann));
  const subscription = (await store.readStream(
    subscriptionStream(subscriptionId),
    // The stream has no other events.
  )) as unknown as readonly SubscriptionEvent[];
  // Nor has this one.
  const state = stateAfter(membershipDecider, membership as unknown as readonly MembershipEvent[]);
  const newest = new Map<string, unknown>();
  for (const { type, data } of subscription) {
    if (type === 'PaymentRecorded') newest.set(data.invoiceId, [data.amountPaid, data.periodEnd]);
    if (type === 'RefundRecorded') newest.set(data.refundId, [data.amount, data.status]);
  }
  const { hasAccess, tier, status } = accessAt(state, new Date(stripe.engine.now()).toISOString());
  return {
    access: { hasAccess, tier, status },
    money: [...newest].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
};

type Step = (engine: StripeInProcess, subscriptionId: string) => void;
const customerOf = ({ tables }: StripeInProcess, id: string): string =>
  String(tables.get('subscription', id)?.customer);
const onCharge =
  (work: (engine: StripeInProcess, charge: string) => void): Step =>
  (engine, id) => {
    const charges = engine.tables.all('charge').filter(({ customer }) => customer === customerOf(engine, id));
    const paid = charges.findLast(({ status }) => status === 'succeeded');
    if (paid) work(engine, paid.id);
  };
const wait =
  (days: number): Step =>
  (engine) =>
    engine.advance(engine.now() + days * dayMs);

const steps: Readonly<Record<string, Step>> = {
  waitADay: wait(1),
  waitFiveDays: wait(5),
  waitTwelveDays: wait(12),
  decline: (engine, id) => engine.useCard(customerOf(engine, id), 'declined'),
  repair: (engine, id) => engine.useCard(customerOf(engine, id), 'ok'),
  refundAll: onCharge((engine, charge) => engine.refund(charge)),
  refundPart: onCharge((engine, charge) => engine.refund(charge, 100)),
  dispute: onCharge((engine, charge) => engine.dispute(charge)),
  winDispute: (engine) => {
    const dispute = engine.tables.all('dispute').at(-1);
    if (dispute) engine.closeDispute(dispute.id, 'won');
  },
};

type Moment = Readonly<{ step: string; lost: readonly boolean[] }>;

const run = async (startMs: number, moments: readonly Moment[]): Promise<void> => {
  const stripe = openStripe(startMs);
  const { engine, port } = stripe;
  const [whole, lossy] = [1, 2].map(() => ({
    store: createMemoryEventStore({ types }),
    known: new Set<string>(),
  })) as [Product, Product];
  await startCheckout(whole);
  await startCheckout(lossy);
  const urls = { successUrl: 'http://127.0.0.1/', cancelUrl: 'http://127.0.0.1/' };
  const session = {
    key: intentId,
    intentId,
    email: 'ann@example.com',
    customerId: null,
    intro: false,
    ...urls,
  };
  const { sessionId } = await port.createSession({ ...session, plan: { tier: 'Pro', period: 'monthly' } });
  engine.pay(sessionId);
  const subscriptionId = String(engine.tables.get('session', sessionId)?.subscription);
  const tell = async (lost: readonly boolean[]): Promise<void> => {
    const all = (await listed(stripe)).filter(({ id }) => !whole.known.has(id));
    await receive(whole, stripe, all);
    await receive(
      lossy,
      stripe,
      all.filter((_, index) => lost[index % lost.length] === false),
    );
  };
  for (const { step, lost } of moments) {
    await tell(lost);
    engine.advance(engine.now() + 1_000);
    steps[step]?.(engine, subscriptionId);
  }
  await tell([true]);

  const writesBefore = stripe.writes();
  const all = await listed(stripe);
  await receive(lossy, stripe, all);
  // What is older than the events that Stripe lists is read.
  if (engine.now() - startMs > listedMs) await reread(lossy, stripe, subscriptionId);
  expect(await outcomeOf(lossy, stripe, subscriptionId)).toEqual(
    await outcomeOf(whole, stripe, subscriptionId),
  );
  const roots = all.map(({ root }) => root);
  for (const again of [
    await inShadow(lossy, stripe, roots),
    await reread(lossy, stripe, subscriptionId),
    await reread(whole, stripe, subscriptionId),
  ]) {
    expect(again.events.map(({ type }) => type)).toEqual([]);
    expect(again.failures).toEqual([]);
  }
  expect(stripe.writes()).toBe(writesBefore);
};

describe('a replay of what was lost', () => {
  it('ends in the state of the undisturbed history, is empty the second time, and writes nothing', async () => {
    const moment = fc.record({
      step: fc.constantFrom(...Object.keys(steps), 'waitTwelveDays', 'waitTwelveDays', 'waitTwelveDays'),
      lost: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    });
    await checkAsyncProperty(
      fc.asyncProperty(
        fc.constantFrom(
          ...['2026-01-31T23:30:00Z', '2028-01-29T12:00:00Z', '2026-03-29T00:59:59Z'].map(Date.parse),
        ),
        fc.array(moment, { minLength: 1, maxLength: 12 }),
        run,
      ),
      { numRuns: 500 },
    );
  }, 180_000);
});
