import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { commandContext, handle, type EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, type Projector } from '@tapedeck/eventing/projections';
import { startReactions, type RunningReactions } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { accountId, fixedClock, newId, type AccountId } from '@tapedeck/kernel';
import { checkoutStream, paymentEvents, subscriptionStream } from '@tapedeck/payments/events';
import {
  checkoutDecider,
  failure,
  february,
  paidInvoice,
  pro,
  snapshot,
  record,
  refundOf,
  startCheckoutOf,
  subscriptionDecider,
  type SubscriptionSnapshot,
} from '@tapedeck/payments/testing';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { asAccount, createTestApp, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { randomBytes } from 'node:crypto';
import { MembershipModule } from './api.ts';
import { MemberHistory, membershipRoutes, MemberTier } from './contract.ts';
import { membershipDecider, type MembershipCommand } from './domain/decide.ts';
import { membershipEvents, membershipStream } from './domain/membership.ts';
import { membershipProjections } from './projections.ts';
import { memberFeatures } from './queries/member-features.ts';
import { membershipDueDates, membershipReactions } from './reactions.ts';
import { day, grantAccess } from './testing/entitlements.ts';
import { membershipSettings } from './settings.ts';

const clock = fixedClock(Date.parse(day('01-01')));
const setTo = (time: string): void => clock.advance(Date.parse(time) - clock.now());
const system = { id: 'system', kind: 'system' } as const;

let databases: TestDatabases;
let store: EventStore;
let app: NestFastifyApplication;
let projector: Projector;
let reactions: RunningReactions;

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  const types = { ...membershipEvents, ...paymentEvents };
  store = createPostgresEventStore({ url: databases.urls.tapedeck, types, keys });
  const logger = createLogger('test', 'silent');
  const pools = databases.pools;
  projector = startProjector({ store, projections: membershipProjections, databases: pools, logger });
  reactions = startReactions({
    store,
    pool: databases.tapedeck,
    databases: pools,
    reactions: membershipReactions({ GRACE_DAYS: 14 }),
    dueDates: membershipDueDates,
    clock,
    logger,
    dueIntervalMs: 20,
  });
  app = await createTestApp({
    modules: [MembershipModule],
    settings: membershipSettings,
    databases,
    store,
    clock,
  });
  await app.listen(0, '127.0.0.1');
  // The projector has made the tables.
  await eventually(async () => {
    await databases.tapedeck.query('select from memberships, membership_due');
  });
});
afterAll(async () => {
  await app.close();
  await Promise.all([projector.stop(), reactions.stop()]);
  await store.close();
  await databases.drop();
});

type Buyer = Readonly<{ account: AccountId; intentId: string; subscriptionId: string }>;

const newBuyer = (): Buyer => ({
  account: accountId(newId()),
  intentId: newId(),
  subscriptionId: `sub_${newId()}`,
});

const context = (): ReturnType<typeof commandContext> => commandContext({ actor: system, clock });

const startCheckout = async ({ account, intentId }: Buyer): Promise<void> => {
  await handle(store, checkoutDecider, paymentEvents)(
    checkoutStream(intentId),
    startCheckoutOf(account, intentId, 'pays@example.com'),
    context(),
  );
};

const readFromStripe = async (
  { account, intentId, subscriptionId }: Buyer,
  read: SubscriptionSnapshot,
): Promise<void> => {
  await handle(store, subscriptionDecider, paymentEvents)(
    subscriptionStream(subscriptionId),
    record({ ...read, subscriptionId }, { intentId, accountId: account, plan: pro }),
    context(),
  );
};

const command = async (account: AccountId, sent: MembershipCommand): Promise<void> => {
  await handle(store, membershipDecider, membershipEvents)(membershipStream(account), sent, context());
};

const get = async (path: string, account: AccountId): Promise<unknown> => {
  const response = await fetch(`${await app.getUrl()}${path}`, { headers: { [asAccount]: account } });
  expect(response.status).toBe(200);
  return response.json();
};
const tierOf = async (account: AccountId): Promise<MemberTier> =>
  MemberTier.parse(await get(membershipRoutes.tier, account));

const eventTypes = async (account: AccountId): Promise<readonly string[]> =>
  (await store.readStream(membershipStream(account))).map(({ type }) => type);

describe('the tier of a member', () => {
  it('is Free for an account that has bought nothing, and is refused to visitors', async () => {
    expect(await tierOf(accountId(newId()))).toEqual({
      tier: 'Free',
      active: true,
      renewalDate: null,
      stripeCustomerEmail: null,
      status: 'none',
      period: null,
      endsAt: null,
      graceUntil: null,
      graceDaysLeft: null,
      hasFailedPayment: false,
      failureReason: null,
      nextAttemptAt: null,
      complimentary: null,
      features: ['explorer', 'sourceCode', 'favourites'],
    });
    for (const path of [membershipRoutes.tier, membershipRoutes.history])
      expect((await fetch(`${await app.getUrl()}${path}`)).status).toBe(401);
  });

  it('follows the payments and the clock: active, in grace, paused, renewed', async () => {
    const buyer = newBuyer();
    const { account } = buyer;
    await startCheckout(buyer);
    await readFromStripe(buyer, snapshot());
    await eventually(async () =>
      expect(await tierOf(account)).toMatchObject({
        tier: 'Pro',
        status: 'active',
        period: 'monthly',
        renewalDate: day('02-01'),
        stripeCustomerEmail: 'pays@example.com',
        features: ['explorer', 'sourceCode', 'csvExport', 'favourites'],
      }),
    );

    setTo(day('02-03'));
    const inGrace = {
      tier: 'Pro',
      active: true,
      status: 'grace',
      renewalDate: null,
      graceUntil: day('02-15'),
      graceDaysLeft: 12,
      hasFailedPayment: false,
      failureReason: null,
      nextAttemptAt: null,
    };
    expect(await tierOf(account)).toMatchObject(inGrace);
    await eventually(async () => expect((await eventTypes(account)).at(-1)).toBe('GraceStarted'));

    setTo(day('02-15'));
    expect(await tierOf(account)).toMatchObject({ tier: 'Free', active: false, status: 'suspended' });
    await eventually(async () => expect((await eventTypes(account)).at(-1)).toBe('MembershipSuspended'));

    const payments = [paidInvoice('in_2', february)];
    await readFromStripe(buyer, snapshot('active', { observedAt: day('02-15') }, { payments }));
    await eventually(async () =>
      expect(await tierOf(account)).toMatchObject({ tier: 'Pro', status: 'active' }),
    );
    expect(await eventTypes(account)).toEqual([
      'MembershipOpened',
      'MembershipActivated',
      'GraceStarted',
      'GraceReminderDue',
      'GraceReminderDue',
      'MembershipSuspended',
      'MembershipRenewed',
    ]);
    const dueSql = 'select kind from membership_due where stream = $1';
    await eventually(async () => {
      const { rows } = await databases.tapedeck.query(dueSql, [membershipStream(account)]);
      expect(rows).toEqual([{ kind: `renewal ${buyer.subscriptionId}` }]);
    });
  });

  it('says in grace why the payment failed, and when it is tried again as long as that is ahead', async () => {
    const buyer = newBuyer();
    const paidUntil = day('02-14');
    const payments = [paidInvoice('in_1', [day('01-14'), paidUntil])];
    const failures = [{ ...failure('in_2', 1, day('02-18')), declineCode: 'expired_card' }];
    await startCheckout(buyer);
    await readFromStripe(buyer, snapshot('past_due', {}, { payments, failures }));
    const inGrace = {
      status: 'grace',
      graceUntil: day('02-28'),
      hasFailedPayment: true,
      failureReason: 'the card has expired',
    };
    await eventually(async () =>
      expect(await tierOf(buyer.account)).toMatchObject({ ...inGrace, nextAttemptAt: day('02-18') }),
    );
    setTo(day('02-18'));
    expect(await tierOf(buyer.account)).toMatchObject({ ...inGrace, nextAttemptAt: null });
  });

  it('is granted for a time, and ends by itself', async () => {
    const account = accountId(newId());
    const until = new Date(clock.now() + 86_400_000).toISOString();
    const now = new Date(clock.now()).toISOString();
    await command(account, grantAccess({ accountId: account, until, now }));
    await eventually(async () =>
      expect(await tierOf(account)).toMatchObject({
        tier: 'Elite',
        status: 'complimentary',
        complimentary: { tier: 'Elite', until },
      }),
    );
    const features = memberFeatures(databases.pools, clock, { ENTITLEMENTS: 'advertised' });
    const member = { id: account, roles: [] };
    expect(await features.has({ id: accountId(newId()), roles: [] }, 'explorer')).toBe(false);
    expect(await features.has(member, 'explorer')).toBe(true);
    // Remembered: answered at once.
    expect(features.has(member, 'sourceCode')).toBe(true);
    setTo(until);
    expect(await features.has(member, 'explorer')).toBe(false);
    expect(await tierOf(account)).toMatchObject({ tier: 'Free', complimentary: null });
    await eventually(async () => expect((await eventTypes(account)).at(-1)).toBe('ComplimentaryAccessEnded'));
  });
});

type History = Readonly<{ pages: number; lines: readonly string[] }>;

/** All pages of the history. */
const historyOf = async (account: AccountId, limit: number, before = ''): Promise<History> => {
  const path = `${membershipRoutes.history}?limit=${limit}${before && `&before=${encodeURIComponent(before)}`}`;
  const { entries, next } = MemberHistory.parse(await get(path, account));
  const rest = next === null ? { pages: 0, lines: [] } : await historyOf(account, limit, next);
  const lines = entries.map(({ at, text, kind }) => `${at.slice(5, 10)} ${kind}: ${text}`);
  return { pages: 1 + rest.pages, lines: [...lines, ...rest.lines] };
};

describe('the history of a member', () => {
  it('lists payments beside changes of the membership by their time, page by page', async () => {
    setTo(day('04-01'));
    const buyer = newBuyer();
    await startCheckout(buyer);
    const observed = { observedAt: day('04-01'), periodStart: day('04-01'), periodEnd: day('05-01') };
    const first = paidInvoice('in_h1', [day('04-01'), day('05-01')], { reason: 'subscription_create' });
    await readFromStripe(buyer, snapshot('active', observed, { payments: [first] }));
    await eventually(async () => expect((await historyOf(buyer.account, 100)).lines).toHaveLength(2));

    setTo(day('04-10'));
    const refund = { ...refundOf('in_h1', 'succeeded', 100), refundedAt: day('04-09') };
    const money = { payments: [first], refunds: [refund] };
    await readFromStripe(buyer, snapshot('active', { ...observed, observedAt: day('04-10') }, money));
    setTo(day('05-02'));
    const second = paidInvoice('in_h2', [day('05-01'), day('06-01')]);
    const renewed = { observedAt: day('05-02'), periodStart: day('05-01'), periodEnd: day('06-01') };
    await readFromStripe(buyer, snapshot('active', renewed, { payments: [second] }));
    await eventually(async () => expect((await historyOf(buyer.account, 100)).lines).toHaveLength(5));

    const whole = await historyOf(buyer.account, 100);
    expect(whole.lines).toEqual([
      '05-02 membership: Renewed until Jun 1, 2026',
      '05-01 payment: Paid $9.99 for Pro (monthly), renewal',
      '04-10 payment: Refunded $1.00 for Pro (monthly)',
      '04-01 membership: Pro (monthly) started, paid until May 1, 2026',
      '04-01 payment: Paid $9.99 for Pro (monthly), first payment',
    ]);
    expect(await historyOf(buyer.account, 2)).toEqual({ pages: 3, lines: whole.lines });
    const wrong = await fetch(`${await app.getUrl()}${membershipRoutes.history}?before=yesterday`, {
      headers: { [asAccount]: buyer.account },
    });
    expect(wrong.status).toBe(400);
  });
});

describe('a feature', () => {
  it('is answered without a query where the membership makes no difference', () => {
    const member = { id: accountId(newId()), roles: [] };
    const open = memberFeatures(databases.pools, clock, { ENTITLEMENTS: 'open' });
    for (const feature of ['explorer', 'sourceCode', 'favourites'])
      expect(open.has(member, feature)).toBe(true);
    const advertised = memberFeatures(databases.pools, clock, { ENTITLEMENTS: 'advertised' });
    for (const role of ['support', 'admin'])
      expect(advertised.has({ ...member, roles: [role] }, 'explorer')).toBe(true);
  });
});
