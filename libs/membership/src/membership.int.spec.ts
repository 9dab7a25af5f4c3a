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
  february,
  paidInvoice,
  pro,
  reading,
  record,
  startCheckoutOf,
  subscriptionDecider,
  type SubscriptionReading,
} from '@tapedeck/payments/testing';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { asAccount, createTestApp, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { randomBytes } from 'node:crypto';
import { MembershipModule } from './api.ts';
import { MemberHistory, membershipRoutes, MemberTier } from './contract.ts';
import { membershipDecider, type MembershipCommand } from './domain/decide.ts';
import { membershipEvents, membershipStream } from './events.ts';
import { membershipProjections } from './projections.ts';
import { memberFeatures } from './queries/member-features.ts';
import { membershipDueDates, membershipReactions } from './reactions.ts';
import { day } from './testing/entitlements.ts';

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
  app = await createTestApp({ modules: [MembershipModule], databases, store, clock });
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
  read: SubscriptionReading,
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
  it('is Free for everybody, and nothing for visitors', async () => {
    expect(await tierOf(accountId(newId()))).toEqual({
      tier: 'Free',
      active: true,
      renewalDate: null,
      stripeCustomerEmail: null,
      status: 'none',
      period: null,
      endsAt: null,
      graceUntil: null,
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
    await readFromStripe(buyer, reading());
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
    };
    expect(await tierOf(account)).toMatchObject(inGrace);
    await eventually(async () => expect((await eventTypes(account)).at(-1)).toBe('GraceStarted'));

    setTo(day('02-15'));
    expect(await tierOf(account)).toMatchObject({ tier: 'Free', active: false, status: 'suspended' });
    await eventually(async () => expect((await eventTypes(account)).at(-1)).toBe('MembershipSuspended'));

    const payments = [paidInvoice('in_2', february)];
    await readFromStripe(buyer, reading('active', { observedAt: day('02-15') }, { payments }));
    await eventually(async () =>
      expect(await tierOf(account)).toMatchObject({ tier: 'Pro', status: 'active' }),
    );
    expect(await eventTypes(account)).toEqual([
      'MembershipOpened',
      'MembershipActivated',
      'GraceStarted',
      'MembershipSuspended',
      'MembershipRenewed',
    ]);
    const { entries } = MemberHistory.parse(await get(membershipRoutes.history, account));
    expect(entries.map(({ text }) => text)).toEqual([
      'Renewed until Mar 1, 2026',
      'Access paused until the renewal is paid',
      'The renewal is not confirmed: access continues until Feb 15, 2026',
      'Pro (monthly) started, paid until Feb 1, 2026',
    ]);
    const { rows } = await databases.tapedeck.query('select kind from membership_due where stream = $1', [
      membershipStream(account),
    ]);
    expect(rows).toEqual([{ kind: `renewal ${buyer.subscriptionId}` }]);
  });

  it('is granted for a time, and ends by itself', async () => {
    const account = accountId(newId());
    const until = new Date(clock.now() + 86_400_000).toISOString();
    await command(account, {
      type: 'GrantComplimentaryAccess',
      accountId: account,
      grantId: newId(),
      tier: 'Elite',
      until,
      reason: 'Has written a guide.',
      now: new Date(clock.now()).toISOString(),
    });
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
