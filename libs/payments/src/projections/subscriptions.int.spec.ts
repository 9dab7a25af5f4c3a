import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandContext, handle, type EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, waitForPosition, type Projector } from '@tapedeck/eventing/projections';
import { accountId, fixedClock, newId, type AccountId } from '@tapedeck/kernel';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import type { Plan } from '@tapedeck/plans/contract';
import { randomBytes } from 'node:crypto';
import { subscriptionDecider, type SubscriptionCommand } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { paymentEvents } from '../events.ts';
import { day, elite, failure, february, paidInvoice, pro, record, snapshot } from '../testing/snapshots.ts';
import { liveSubscriptionsOf, namedSubscriptionOf, subscriptions } from './subscriptions.ts';

const clock = fixedClock(Date.parse(day('01-01')));
const actor = { id: 'system', kind: 'system' } as const;

let databases: TestDatabases;
let store: EventStore;
let projector: Projector;
beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  store = createPostgresEventStore({ url: databases.urls.tapedeck, types: paymentEvents, keys });
  const logger = createLogger('test', 'silent');
  projector = startProjector({ store, projections: [subscriptions], databases: databases.pools, logger });
});
afterAll(async () => {
  await projector.stop();
  await store.close();
  await databases.drop();
});

type Read = Parameters<typeof snapshot>;

type Bought = Readonly<{ id: string; read: (...read: Read) => Promise<void> }>;

/** A paid subscription of an account. */
const buy = async (account: AccountId, id: string, plan: Plan): Promise<Bought> => {
  const send = async (command: SubscriptionCommand): Promise<void> => {
    // Each change is later than the one before it.
    clock.advance(1_000);
    const context = commandContext({ actor, clock });
    await handle(store, subscriptionDecider, paymentEvents)(subscriptionStream(id), command, context);
    expect(await waitForPosition(databases.tapedeck, 'subscriptions', await store.head(), 10_000)).toBe(true);
  };
  const buyer = { intentId: `intent of ${id}`, accountId: account, plan };
  const read: Bought['read'] = (status, seen = {}, money = {}) =>
    send(
      record(
        {
          ...snapshot(
            status,
            { intentId: buyer.intentId, customerId: `cus_${id}`, plan, ...seen },
            { payments: [paidInvoice(`in_${id}`, [day('01-01'), day('02-01')], { plan })], ...money },
          ),
          subscriptionId: id,
        },
        buyer,
      ),
    );
  await read();
  return { id, read };
};

const liveOf = (account: AccountId): Promise<readonly string[]> =>
  liveSubscriptionsOf(databases.tapedeck, account);

describe('the live subscriptions of an account', () => {
  it('have the highest plan first, whatever changes last', async () => {
    const account = accountId(newId());
    const [low, high] = ['sub_a', 'sub_b'].map((name) => `${name}_${newId().slice(-8)}`) as [string, string];
    const second = await buy(account, low, pro);
    const first = await buy(account, high, elite);
    const order = [first.id, second.id];
    expect(await liveOf(account)).toEqual(order);

    await second.read('active', { cancelAtPeriodEnd: true, observedAt: day('01-10') });
    expect(await liveOf(account)).toEqual(order);
    await second.read('active', { observedAt: day('01-11') });
    const renewed = { observedAt: day('02-01'), periodStart: february[0], periodEnd: february[1] };
    await second.read('active', renewed, { payments: [paidInvoice(`in_2_${low}`, february, { plan: pro })] });
    expect(await liveOf(account)).toEqual(order);
    await first.read('past_due', { ...renewed }, { failures: [failure(`in_2_${high}`, 1, day('02-05'))] });
    expect(await liveOf(account)).toEqual(order);
  }, 60_000);

  it('have behind all others what gives no access', async () => {
    const account = accountId(newId());
    const suspended = await buy(account, `sub_c_${newId().slice(-8)}`, elite);
    await suspended.read('unpaid', { observedAt: day('01-10') });
    const active = await buy(account, `sub_d_${newId().slice(-8)}`, pro);
    expect(await liveOf(account)).toEqual([active.id, suspended.id]);
  }, 60_000);

  it('are found by name, and those of another account are not', async () => {
    const [account, other] = [accountId(newId()), accountId(newId())];
    const own = await buy(account, `sub_e_${newId().slice(-8)}`, pro);
    const foreign = await buy(other, `sub_f_${newId().slice(-8)}`, pro);
    const find = (name?: string): Promise<string> => namedSubscriptionOf(databases.tapedeck, account, name);
    expect([await find(), await find(own.id)]).toEqual([own.id, own.id]);
    await expect(find(foreign.id)).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' });
  }, 60_000);
});
