import { expect } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { memberAt, payAt, tierOf, type Person } from '../api/payments/buyers.ts';
import {
  eventsAfter,
  headOf,
  newEmail,
  rowsOf,
  untilIdle,
  type Counts,
  type KillProduct,
} from './kill-product.ts';
import { append, killDuring, type Kill, type Run, type Scenario } from './scenario.ts';

const purchaseKills: readonly Kill[] = [
  {
    name: 'before the append of a webhook',
    process: 'api',
    at: append('before', 'StripeEventReceived'),
    left: { StripeEventReceived: false, acknowledged: false },
  },
  {
    name: 'after the append of a webhook and before its answer',
    process: 'api',
    at: append('after', 'StripeEventReceived'),
    left: { StripeEventReceived: true, acknowledged: false },
  },
  {
    name: 'after Stripe was read and before that is recorded',
    process: 'projector',
    at: append('before', 'SubscriptionObserved'),
    left: { StripeEventReceived: true, SubscriptionObserved: false },
  },
  {
    name: 'after the record on the subscription and before the membership follows',
    process: 'projector',
    at: append('before', 'MembershipActivated'),
    left: { EntitlementChanged: true, MembershipActivated: false },
  },
  {
    name: 'after the rows of a read model and before their commit',
    process: 'projector',
    at: { when: 'commit', contains: ['"memberships_v'] },
    left: { MembershipActivated: true, projected: false },
  },
];

const upgradeKills: readonly Kill[] = [
  {
    name: 'after Stripe was changed and before that is recorded',
    process: 'projector',
    at: append('before', 'SubscriptionObserved'),
    left: { StripeWriteRequested: true, charged: true, SubscriptionObserved: false },
  },
  {
    name: 'after a change of Stripe is recorded and before it is completed',
    process: 'projector',
    at: append('before', 'StripeWriteCompleted'),
    left: { charged: true, SubscriptionObserved: true, StripeWriteCompleted: false },
  },
];

/** Who buys is the newest customer. */
const newestCustomer = async ({ stripe }: KillProduct): Promise<string> =>
  (await stripe.customers.list({ limit: 1 })).data[0]?.id ?? '';

const chargesOf = async ({ stripe }: KillProduct, customer: string): Promise<readonly number[]> =>
  (await stripe.charges.list({ customer })).data.map(({ amount }) => amount);

/**
 * `acknowledged`: Stripe got the answer to a webhook; `charged`: Stripe has charged somebody; `projected`: the read model has
 * the membership.
 */
const countFacts = async (product: KillProduct): Promise<Counts> => {
  const rows = await rowsOf<{ count: number }>(product, 'select count(*)::int as count from memberships');
  return {
    acknowledged: await product.countDelivered(),
    charged: (await product.stripe.charges.list({ limit: 100 })).data.length,
    projected: rows[0]?.count ?? 0,
  };
};

type Outcome = Readonly<{
  tier: unknown;
  events: Counts;
  charges: readonly number[];
  /** How many invoices are paid, at Stripe and on the tape. */
  invoices: number;
}>;

const outcomeSince = async (product: KillProduct, position: string, member: Person): Promise<Outcome> => {
  const customer = await newestCustomer(product);
  const paid = (await product.stripe.invoices.list({ customer, status: 'paid' })).data.map(({ id }) => id);
  const recorded = await rowsOf<{ id: string }>(
    product,
    `select data ->> 'invoiceId' as id from tape_events where position > $1 and type = 'PaymentRecorded'`,
    [position],
  );
  expect(recorded.map(({ id }) => id).sort()).toEqual([...paid].sort());
  return {
    tier: await tierOf(member),
    events: await eventsAfter(product, position),
    charges: await chargesOf(product, customer),
    invoices: paid.length,
  };
};

/** @param step in which a process is killed */
const buyAndUpgrade =
  (product: KillProduct, step: 'purchase' | 'upgrade'): Run =>
  async (kill) => {
    const killAt = async <Result>(at: typeof step, work: () => Promise<Result>): Promise<Result> =>
      killDuring(product, at === step ? kill : undefined, work, () => countFacts(product));
    const member = await memberAt(product, newEmail());
    const position = await headOf(product);
    const { body } = await member.send('POST', '/api/create-pro-subscription');
    await killAt('purchase', () => payAt(body['checkoutUrl']));
    await product.settled();
    // The projector must learn of the upgrade from its own write.
    await product.control('/deliveries/hold');
    const plan = { tier: 'Elite', period: 'monthly' };
    const changed = await killAt('upgrade', () => member.send('POST', '/api/membership/change', plan));
    expect(changed).toMatchObject({
      status: 200,
      body: { state: expect.stringMatching(/^(done|processing)$/) },
    });
    // The answer waits only so long for what a busy machine does later.
    await eventually(
      async () => expect(await eventsAfter(product, position)).toMatchObject({ StripeWriteCompleted: 1 }),
      60_000,
    );
    await product.control('/deliveries/release');
    await product.settled();
    await untilIdle(product);
    return outcomeSince(product, position, member);
  };

/** One membership, two payments and two charges. */
const outcome = {
  tier: 'Elite active',
  events: { MembershipActivated: 1, TierChanged: 1, PaymentRecorded: 2, StripeWriteCompleted: 1 },
  charges: [1_500, 499],
  invoices: 2,
};

export const purchase: Scenario = {
  title: 'a purchase',
  kills: purchaseKills,
  outcome,
  open: (product) => Promise.resolve(buyAndUpgrade(product, 'purchase')),
};

export const upgrade: Scenario = {
  title: 'a change to a higher plan',
  kills: upgradeKills,
  outcome,
  open: (product) => Promise.resolve(buyAndUpgrade(product, 'upgrade')),
};
