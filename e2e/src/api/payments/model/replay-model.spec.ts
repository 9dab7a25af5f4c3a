import { describe, expect, it } from '@jest/globals';
import { commandTarget, dispatch, readEvents, stateAfter, type Dispatch } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import { accountId, derivedId, type AccountId } from '@tapedeck/kernel';
import { membershipEvents, membershipStream } from '@tapedeck/membership/events';
import {
  accessAt,
  grantAccess,
  membershipDecider,
  noMembership,
  revokeAccess,
} from '@tapedeck/membership/testing';
import { subscriptionEvents, subscriptionStream } from '@tapedeck/payments/events';
import { subscriptions } from '@tapedeck/payments/testing';
import { type StripeInProcess } from '@tapedeck/sandbox/testing';
import fc from 'fast-check';
import {
  ann,
  intentId,
  dayMs,
  types,
  type Stripe,
  openStripe,
  type Product,
  inShadow,
  listed,
  receive,
  reread,
  startCheckout,
  command,
} from './replayed-product.ts';

const bob = accountId(derivedId('bob'));
const people = [ann, bob] as const;
const memberships = commandTarget(membershipDecider, membershipEvents);
type Membership = typeof noMembership;
/** Stripe lists events of 30 days. */
const listedMs = 30 * dayMs;

const membershipOf = async ({ store }: Product, person: AccountId): Promise<Membership> => {
  const events = await readEvents(store, membershipStream(person), membershipEvents);
  return stateAfter(membershipDecider, events);
};

/** What it comes to: the access that is paid for, and every payment and refund. */
const outcomeOf = async (product: Product, stripe: Stripe, subscriptionId: string): Promise<unknown> => {
  const stream = subscriptionStream(subscriptionId);
  const subscription = await readEvents(product.store, stream, subscriptionEvents);
  const newest = new Map<string, unknown>();
  for (const { type, data } of subscription) {
    if (type === 'PaymentRecorded') newest.set(data.invoiceId, [data.amountPaid, data.periodEnd]);
    if (type === 'RefundRecorded') newest.set(data.refundId, [data.amount, data.status]);
  }
  const now = new Date(stripe.engine.now()).toISOString();
  const access = await Promise.all(
    people.map(async (person) => {
      const { hasAccess, tier, status } = accessAt(
        { ...(await membershipOf(product, person)), grants: [] },
        now,
      );
      return { hasAccess, tier, status };
    }),
  );
  return { access, money: [...newest].sort(([a], [b]) => (a < b ? -1 : 1)) };
};

const grantsOf = async (product: Product): Promise<readonly string[]> =>
  (await Promise.all(people.map((person) => membershipOf(product, person)))).flatMap(({ grants }) =>
    grants.map(({ grantId }) => grantId),
  );

/** Grants are the same, but for those that the subscription includes which a replay has brought. */
const expectGrantsAgree = async (whole: Product, lossy: Product): Promise<void> => {
  const [expected, found] = [await grantsOf(whole), await grantsOf(lossy)];
  const replaced = (await lossy.store.readTape({ after: 0n, limit: 100_000 })).events.flatMap(
    ({ type, data }) =>
      type === 'ComplimentaryAccessEnded' && data['cause'] === 'paid' ? [String(data['grantId'])] : [],
  );
  expect(expected.filter((grant) => !found.includes(grant) && !replaced.includes(grant))).toEqual([]);
  expect(found.filter((grant) => !expected.includes(grant))).toEqual([]);
};

type Step = (engine: StripeInProcess, subscriptionId: string) => void;
/** What a person does at the product. */
type Act = (now: string, subscriptionId: string, made: number) => Dispatch;
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

const acts: Readonly<Record<string, Act>> = {
  transfer: (now, subscriptionId) =>
    dispatch(subscriptions, subscriptionStream(subscriptionId), {
      type: 'TransferPurchase',
      intentId,
      toAccountId: bob,
      fromEmailHash: 'hash',
      proof: 'mailbox',
      hasOtherSubscription: false,
      now,
    }),
  grant: (now, _subscriptionId, made) =>
    dispatch(
      memberships,
      membershipStream(ann),
      grantAccess({ accountId: ann, grantId: `grant-${made}`, tier: made % 2 === 0 ? 'Elite' : 'Pro', now }),
    ),
  revoke: () => dispatch(memberships, membershipStream(ann), revokeAccess({ accountId: ann })),
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
  for (const [made, { step, lost }] of moments.entries()) {
    await tell(lost);
    engine.advance(engine.now() + 1_000);
    steps[step]?.(engine, subscriptionId);
    const act = acts[step];
    if (act) await command([whole, lossy], stripe, (now) => act(now, subscriptionId, made));
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
  await expectGrantsAgree(whole, lossy);
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
      step: fc.constantFrom(
        ...Object.keys({ ...steps, ...acts }),
        'waitTwelveDays',
        'waitTwelveDays',
        'waitTwelveDays',
      ),
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
