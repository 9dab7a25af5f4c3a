import { afterAll, beforeAll } from '@jest/globals';
import {
  commandContext,
  handle,
  type CommandContext,
  type Effect,
  type EventStore,
} from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, type Projector } from '@tapedeck/eventing/projections';
import { startReactions, type RunningReactions } from '@tapedeck/eventing/reactions';
import { accountStream, identityEvents, sentMailEvents } from '@tapedeck/identity/events';
import { accountId, eventId, fixedClock, newId, type AccountId, type JsonObject } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { createLogger } from '@tapedeck/platform/log';
import type { Mail } from '@tapedeck/platform/mail';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { checkoutDecider, checkoutStream, intentSubject } from '../domain/checkout.ts';
import { type SubscriptionCommand, subscriptionDecider } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { closedAccountsEffect } from '../effects/closed-accounts.ts';
import { paymentMailsEffect } from '../effects/mails.ts';
import { paymentEvents } from '../events.ts';
import { paymentProjections } from '../projections.ts';
import { paymentDueDates } from '../reactions.ts';
import { day, pro, record, snapshot, startCheckoutOf } from './snapshots.ts';

export type Purchase = Readonly<{
  email: string;
  intentId: string;
  stream: string;
  send: (command: SubscriptionCommand) => Promise<void>;
  /** What is read from Stripe, of this subscription. */
  read: (...read: Parameters<typeof snapshot>) => Promise<void>;
}>;

export type RunningPayments = Readonly<{
  pool: () => pg.Pool;
  store: () => EventStore;
  setTo: (time: string) => void;
  mails: readonly Mail[];
  /** At Stripe. */
  forgottenCustomers: readonly string[];
  /** An event of an account. */
  appendTo: (account: AccountId, type: string, data: JsonObject) => Promise<void>;
  register: (account: AccountId, email: string) => Promise<void>;
  /** A purchase that was paid on January 1 if nothing else is said, by an account or by e-mail. */
  buy: (
    account: AccountId | null,
    money?: Parameters<typeof snapshot>[2],
    given?: Parameters<typeof snapshot>[1],
  ) => Promise<Purchase>;
  /** What was requested of Stripe. */
  writesOf: (purchase: Purchase) => Promise<readonly unknown[]>;
}>;

type Clock = ReturnType<typeof fixedClock>;

/** What was sent to the outside. */
type Outside = Readonly<{ mails: Mail[]; forgottenCustomers: string[] }>;

type Parts = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  projector: Projector;
  reactions: RunningReactions;
}>;

const effectsOf = (store: EventStore, { pools }: TestDatabases, outside: Outside): readonly Effect[] => {
  const { mails, forgottenCustomers } = outside;
  return [
    paymentMailsEffect({
      mailer: { send: async (mail) => void mails.push(mail) },
      store,
      siteUrl: 'https://tapedeck.example',
    }),
    closedAccountsEffect({
      stripe: {
        forgetCustomer: async ({ customerId }) => void forgottenCustomers.push(customerId),
        expireSession: async () => undefined,
      },
      store,
      databases: pools,
    }),
  ];
};

const start = async (clock: Clock, outside: Outside): Promise<Parts> => {
  const databases = await testDatabases();
  const { pools, tapedeck: pool, urls } = databases;
  await migrate(pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool, masterKey: randomBytes(32) });
  const types = { ...paymentEvents, ...identityEvents, ...sentMailEvents };
  const store = createPostgresEventStore({ url: urls.tapedeck, types, keys });
  const logger = createLogger('test', 'silent');
  const projector = startProjector({ store, projections: paymentProjections, databases: pools, logger });
  const reactions = startReactions({
    store,
    pool,
    databases: pools,
    effects: effectsOf(store, databases, outside),
    dueDates: paymentDueDates,
    clock,
    logger,
    dueIntervalMs: 20,
  });
  return { databases, store, projector, reactions };
};

const stop = async ({ projector, reactions, store, databases }: Parts): Promise<void> => {
  await Promise.all([projector.stop(), reactions.stop()]);
  await store.close();
  await databases.drop();
};

const contextAt = (clock: Clock): CommandContext =>
  commandContext({ actor: { id: 'system', kind: 'system' }, clock });

const append = async (
  store: EventStore,
  clock: Clock,
  account: AccountId,
  { type, data }: Readonly<{ type: string; data: JsonObject }>,
): Promise<void> => {
  const { actor, now, commandId } = contextAt(clock);
  const metadata = {
    actorId: actor.id,
    actorKind: actor.kind,
    occurredAt: now,
    correlationId: commandId,
    causationId: commandId,
  };
  const event = { id: eventId(newId()), type, schemaVersion: 1, data, metadata };
  await store.append(accountStream(account), 'ANY', [event]);
};

const purchaseOf = async (
  store: EventStore,
  clock: Clock,
  account: AccountId | null,
  plan: Plan,
): Promise<Purchase> => {
  const [intentId, subscriptionId] = [newId(), `sub_${newId()}`];
  const email = `${intentId}@example.com`;
  const command = startCheckoutOf(account ?? accountId(newId()), intentId, email);
  const personalSubject = account ?? intentSubject(intentId);
  const begin = { ...command, checkout: { ...command.checkout, accountId: account, personalSubject } };
  const stream = subscriptionStream(subscriptionId);
  await handle(store, checkoutDecider, paymentEvents)(checkoutStream(intentId), begin, contextAt(clock));
  const send: Purchase['send'] = async (command) => {
    await handle(store, subscriptionDecider, paymentEvents)(stream, command, contextAt(clock));
  };
  const read: Purchase['read'] = (status, seen, money) => {
    const customer = { customerId: `cus_${intentId}`, intentId };
    const answer = { ...snapshot(status, { ...customer, ...seen }, money), subscriptionId };
    return send(record(answer, { intentId, accountId: account, plan }));
  };
  return { email, intentId, stream, send, read };
};

/** Event store, projections, mails, due dates and deleted accounts in the databases of a spec, without Stripe. */
export const runningPayments = (): RunningPayments => {
  const clock = fixedClock(Date.parse(day('01-01')));
  const outside: Outside = { mails: [], forgottenCustomers: [] };
  let parts: Parts;
  beforeAll(async () => {
    parts = await start(clock, outside);
  });
  afterAll(() => stop(parts));

  const appendTo: RunningPayments['appendTo'] = (account, type, data) =>
    append(parts.store, clock, account, { type, data });
  const register: RunningPayments['register'] = (account, email) =>
    appendTo(account, 'AccountRegistered', { accountId: account, email, emailVerified: true });
  return {
    ...outside,
    pool: () => parts.databases.tapedeck,
    store: () => parts.store,
    setTo: (time) => clock.advance(Date.parse(time) - clock.now()),
    appendTo,
    register,
    buy: async (account, money, given) => {
      const purchase = await purchaseOf(parts.store, clock, account, given?.plan ?? pro);
      if (account !== null) await register(account, purchase.email);
      await purchase.read('active', given, money);
      return purchase;
    },
    writesOf: async ({ stream }) =>
      (await parts.store.readStream(stream))
        .filter(({ type }) => type === 'StripeWriteRequested')
        .map(({ data }) => data['write']),
  };
};
