import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '@tapedeck/composition/modules';
import { dumpReadModel, poolOf, rebuildInto } from '@tapedeck/eventing/projections';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { eventually, type DeathPoint } from '@tapedeck/eventing/testing';
import { memberAt, payAt, tierOf, type Person } from './buyers.ts';
import { startRealProcesses, type ProcessName, type RealProcesses } from './real-processes.ts';

let product: RealProcesses;
beforeAll(async () => {
  product = await startRealProcesses();
}, 120_000);
afterAll(() => product.close());

type Step = 'purchase' | 'upgrade';

/**
 * What is there when the process has died: events of a type on the tape since the step began; `acknowledged`: Stripe got
 * the answer to a webhook since then; `charged`: Stripe has charged the upgrade; `projected`: the read model has the
 * membership.
 */
type Fact =
  | 'StripeEventReceived'
  | 'SubscriptionObserved'
  | 'EntitlementChanged'
  | 'MembershipActivated'
  | 'StripeWriteRequested'
  | 'StripeWriteCompleted'
  | 'acknowledged'
  | 'charged'
  | 'projected';

type Kill = Readonly<{
  name: string;
  process: ProcessName;
  step: Step;
  at: DeathPoint;
  expected: Partial<Readonly<Record<Fact, boolean>>>;
}>;

const append = (when: 'before' | 'after', type: string): DeathPoint => ({
  when,
  contains: ['tape_append', type],
});

const kills: readonly Kill[] = [
  {
    name: 'before the append of a webhook',
    process: 'api',
    step: 'purchase',
    at: append('before', 'StripeEventReceived'),
    expected: { StripeEventReceived: false, acknowledged: false },
  },
  {
    name: 'after the append of a webhook and before its answer',
    process: 'api',
    step: 'purchase',
    at: append('after', 'StripeEventReceived'),
    expected: { StripeEventReceived: true, acknowledged: false },
  },
  {
    name: 'after Stripe was read and before that is recorded',
    process: 'projector',
    step: 'purchase',
    at: append('before', 'SubscriptionObserved'),
    expected: { StripeEventReceived: true, SubscriptionObserved: false },
  },
  {
    name: 'after the record on the subscription and before the membership follows',
    process: 'projector',
    step: 'purchase',
    at: append('before', 'MembershipActivated'),
    expected: { EntitlementChanged: true, MembershipActivated: false },
  },
  {
    name: 'after the rows of a read model and before their commit',
    process: 'projector',
    step: 'purchase',
    at: { when: 'commit', contains: ['"memberships_v'] },
    expected: { MembershipActivated: true, projected: false },
  },
  {
    name: 'after Stripe was changed and before that is recorded',
    process: 'projector',
    step: 'upgrade',
    at: append('before', 'SubscriptionObserved'),
    expected: { StripeWriteRequested: true, charged: true, SubscriptionObserved: false },
  },
  {
    name: 'after a change of Stripe is recorded and before it is completed',
    process: 'projector',
    step: 'upgrade',
    at: append('before', 'StripeWriteCompleted'),
    expected: { charged: true, SubscriptionObserved: true, StripeWriteCompleted: false },
  },
];

const query = async <Row extends object>(
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => (await product.product.databases.tapedeck.query<Row>(sql, [...values])).rows;

/** The position of the last event. */
const lastPosition = async (): Promise<string> =>
  (await query<{ position: string }>('select coalesce(max(position), 0) as position from tape_events'))[0]
    ?.position ?? '';

type Counts = Readonly<Record<string, number>>;

/** Events by their type. */
const eventsAfter = async (position: string): Promise<Counts> => {
  const sql =
    'select type, count(*)::int as count from tape_events where position > $1 group by 1 order by 1';
  const rows = await query<{ type: string; count: number }>(sql, [position]);
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
};

const countMemberships = async (): Promise<number> =>
  (await query<{ count: number }>('select count(*)::int as count from memberships'))[0]?.count ?? 0;

/** Whoever buys is the newest customer. */
const newestCustomer = async (): Promise<string> =>
  (await product.stripe.customers.list({ limit: 1 })).data[0]?.id ?? '';

const chargesOf = async (customer: string): Promise<readonly number[]> =>
  (await product.stripe.charges.list({ customer })).data.map(({ amount }) => amount);

type Mark = Readonly<{ position: string; memberships: number; delivered: number }>;

const mark = async (): Promise<Mark> => ({
  position: await lastPosition(),
  memberships: await countMemberships(),
  delivered: await product.countDelivered(),
});

const factsSince = async (start: Mark): Promise<Readonly<Record<Fact, boolean>>> => {
  const events = await eventsAfter(start.position);
  const has = (type: string): boolean => (events[type] ?? 0) > 0;
  return {
    StripeEventReceived: has('StripeEventReceived'),
    SubscriptionObserved: has('SubscriptionObserved'),
    EntitlementChanged: has('EntitlementChanged'),
    MembershipActivated: has('MembershipActivated'),
    StripeWriteRequested: has('StripeWriteRequested'),
    StripeWriteCompleted: has('StripeWriteCompleted'),
    acknowledged: (await product.countDelivered()) > start.delivered,
    charged: (await chargesOf(await newestCustomer())).length > 1,
    projected: (await countMemberships()) > start.memberships,
  };
};

/** Does a step, in which a process is killed and started again if the kill is one of this step. */
const perform = async <Result>(
  step: Step,
  kill: Kill | undefined,
  action: () => Promise<Result>,
): Promise<Result> => {
  if (kill?.step !== step) return action();
  const start = await mark();
  const { died } = await product.dieAt(kill.process, kill.at);
  const replace = async (): Promise<void> => {
    await died;
    const facts = await factsSince(start);
    // Also before a failure, so that the other tests have the whole product.
    await product.start(kill.process);
    expect(facts).toMatchObject(kill.expected);
  };
  const [result] = await Promise.all([action(), replace()]);
  return result;
};

type Outcome = Readonly<{
  tier: unknown;
  events: Counts;
  charges: readonly number[];
  /** How many invoices are paid, at Stripe and on the tape. */
  invoices: number;
}>;

const outcomeSince = async (position: string, member: Person): Promise<Outcome> => {
  const customer = await newestCustomer();
  const paid = (await product.stripe.invoices.list({ customer, status: 'paid' })).data.map(({ id }) => id);
  const recorded = await query<{ id: string }>(
    `select data ->> 'invoiceId' as id from tape_events where position > $1 and type = 'PaymentRecorded'`,
    [position],
  );
  expect(recorded.map(({ id }) => id).sort()).toEqual([...paid].sort());
  return {
    tier: await tierOf(member),
    events: await eventsAfter(position),
    charges: await chargesOf(customer),
    invoices: paid.length,
  };
};

/** Buys Pro, then changes to Elite. */
const buyAndUpgrade = async (email: string, kill?: Kill): Promise<Outcome> => {
  const member = await memberAt(product, email);
  const position = await lastPosition();
  const { body } = await member.send('POST', '/api/create-pro-subscription');
  await perform('purchase', kill, () => payAt(body['checkoutUrl']));
  await product.settled();
  // The projector must learn of the upgrade from its own write.
  await product.control('/deliveries/hold');
  const plan = { tier: 'Elite', period: 'monthly' };
  const changed = await perform('upgrade', kill, () => member.send('POST', '/api/membership/change', plan));
  expect(changed).toMatchObject({
    status: 200,
    body: { state: expect.stringMatching(/^(done|processing)$/) },
  });
  // The answer waits only so long for what a busy machine does later.
  await eventually(async () => expect((await eventsAfter(position))['StripeWriteCompleted']).toBe(1), 60_000);
  await product.control('/deliveries/release');
  await product.settled();
  return outcomeSince(position, member);
};

describe('a process that is killed during a purchase or an upgrade', () => {
  let undisturbed: Outcome;
  beforeAll(async () => {
    undisturbed = await buyAndUpgrade('undisturbed@example.com');
  });

  it('is compared with one membership, two payments and two charges', () => {
    expect(undisturbed).toMatchObject({
      tier: 'Elite active',
      events: { MembershipActivated: 1, TierChanged: 1, PaymentRecorded: 2, StripeWriteCompleted: 1 },
      charges: [1_500, 499],
      invoices: 2,
    });
  });

  it.each(kills)('$name leads to the same outcome', async (kill) => {
    const email = `${kills.indexOf(kill)}@example.com`;
    expect(await buyAndUpgrade(email, kill)).toEqual(undisturbed);
  });

  it('leaves no parked event, and read models that equal a rebuild', async () => {
    const { databases, store } = product.product;
    expect(await pendingEvents(databases.tapedeck)).toEqual([]);
    for (const projection of projections) {
      const pool = poolOf(databases, projection);
      await rebuildInto({ store, projection, pool });
      const rebuilt = await dumpReadModel(pool, projection, '_check');
      expect(await dumpReadModel(pool, projection)).toBe(rebuilt);
    }
  });
});
