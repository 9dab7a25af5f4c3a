import { paidPlans } from '@tapedeck/plans/contract';
import {
  commandContext,
  type Dispatch,
  handle,
  type Effect,
  type EventStore,
  type EventTypes,
  readStates,
} from '@tapedeck/eventing';
import { createShadow, runShadow, type ShadowCommand, type ShadowRun } from '@tapedeck/eventing/reactions';
import { accountId, derivedId, DomainError, fixedClock } from '@tapedeck/kernel';
import { membershipEvents } from '@tapedeck/membership/events';
import { membershipReactions } from '@tapedeck/membership/reactions';
import { checkoutStream, paymentEvents } from '@tapedeck/payments/events';
import { checkouts, recordSnapshot, startCheckoutOf, stripeEventsEffect } from '@tapedeck/payments/testing';
import { stripeAt } from '@tapedeck/replay/testing';
import { openStripeInProcess, type StripeInProcess } from '@tapedeck/sandbox/testing';
import { stripeEvents } from '@tapedeck/stripe/events';
import { eventOfBody, receivingCommand } from '@tapedeck/stripe/inbox';
import type { StripePort } from '@tapedeck/stripe/port';
import { stripeReads, stripeRequests } from '@tapedeck/stripe/testing';
import { graceDays } from './product-in-memory.ts';

export const ann = accountId(derivedId('ann'));
export const intentId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const dayMs = 86_400_000;
const prices = paidPlans.map((plan) => ({
  ...plan,
  priceId: `price_${plan.tier.toLowerCase()}_${plan.period}`,
}));
/** Nothing here is personal: keys are another test's subject. */
export const types: EventTypes = Object.fromEntries(
  Object.entries({ ...stripeEvents, ...paymentEvents, ...membershipEvents }).map(([type, { version }]) => [
    type,
    { version },
  ]),
);
const noKeys = {
  keyFor: () => Promise.reject(new Error('Nothing is personal.')),
  keysOf: () => Promise.resolve(new Map()),
  forget: () => Promise.resolve(),
};
const actor = { id: 'support', kind: 'support' } as const;
const reactions = membershipReactions({ GRACE_DAYS: graceDays });

export type Stripe = Readonly<{ engine: StripeInProcess; port: StripePort; writes: () => number }>;

export const openStripe = (startMs: number): Stripe => {
  const engine = openStripeInProcess(startMs);
  let last = 0;
  const clock = { now: () => (last = Math.max(last + 1, engine.now())) };
  const options = { stripe: engine.stripe, prices, clock };
  const writing = stripeRequests({ ...options, introCoupon: 'pro_intro' });
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
  return { engine, port: { ...stripeReads(options), ...counted }, writes: () => writes };
};

export type Product = Readonly<{ store: EventStore; known: Set<string> }>;

/** What arrives is handled as the projector would: reactions and effects, until nothing follows. */
export const inShadow = async (
  { store }: Product,
  stripe: Stripe,
  roots: readonly ShadowCommand[],
): Promise<ShadowRun> => {
  const at = new Date(stripe.engine.now()).toISOString();
  const clock = fixedClock(stripe.engine.now());
  const shadow = await createShadow({ store, keys: noKeys, types, clock });
  const effects: readonly Effect[] = [
    stripeEventsEffect({
      stripe: stripeAt(stripe.port, at),
      unclaimedRefundDays: 30,
      subscriptionsOfCustomer: async () => [],
      logger: { warn: () => undefined },
    }),
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

export const listed = async ({ engine, port }: Stripe): Promise<readonly Listed[]> => {
  const found: Listed[] = [];
  const since = new Date(0).toISOString();
  for await (const { eventId, body } of port.listEvents({ since, undeliveredOnly: false })) {
    const event = eventOfBody(body);
    if (!event) continue;
    const { id, dispatch: receiving } = receivingCommand({ ...event, source: 'replay' });
    const context = commandContext({ actor, clock: fixedClock(engine.now()), commandId: id });
    found.push({ id: eventId, root: { dispatch: receiving, context } });
  }
  return found;
};

export const receive = async (
  product: Product,
  stripe: Stripe,
  events: readonly Listed[],
): Promise<ShadowRun> => {
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
export const reread = async (
  product: Product,
  stripe: Stripe,
  subscriptionId: string,
): Promise<ShadowRun> => {
  const snapshot = await stripe.port.readSubscription(subscriptionId, 'all');
  if (!snapshot) throw new Error('Stripe does not know the subscription.');
  const now = new Date(stripe.engine.now()).toISOString();
  const options = { unclaimedRefundDays: 30, isSweep: false, now };
  const dispatches = await recordSnapshot(snapshot, readStates(product.store), options);
  const clock = fixedClock(stripe.engine.now());
  const roots = dispatches.map((one) => ({ dispatch: one, context: commandContext({ actor, clock }) }));
  const run = await inShadow(product, stripe, roots);
  await apply(product, run);
  return run;
};

export const startCheckout = async ({ store }: Product): Promise<void> => {
  const command = startCheckoutOf(ann, intentId, 'ann@example.com');
  // As `dispatch` passes it on: the decider gets only its own commands.
  const target = checkouts as unknown as ShadowCommand['dispatch']['target'];
  const context = commandContext({ actor, clock: fixedClock(0) });
  await handle(store, target.decider, types)(checkoutStream(intentId), command, context);
};

/** A command of a person, in both histories or, where one of them refuses it, in none. */
export const command = async (
  products: readonly Product[],
  stripe: Stripe,
  make: (now: string) => Dispatch,
): Promise<void> => {
  const clock = fixedClock(stripe.engine.now());
  const root = {
    dispatch: make(new Date(stripe.engine.now()).toISOString()),
    context: commandContext({ actor, clock }),
  };
  const runs: ShadowRun[] = [];
  try {
    for (const product of products) runs.push(await inShadow(product, stripe, [root]));
  } catch (error) {
    if (error instanceof DomainError) return;
    throw error;
  }
  for (const [index, product] of products.entries()) {
    const run = runs[index];
    if (run) await apply(product, run);
  }
};
