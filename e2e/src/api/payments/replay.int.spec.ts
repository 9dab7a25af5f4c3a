import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRoutes, Timeline } from '@tapedeck/audit/contract';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { queueRoutes, Queues } from '@tapedeck/payments/contract';
import { ReplayDetails, replayRoutes, Replays } from '@tapedeck/replay/contract';
import { buyAs, memberAt, outsideOf, supportAt, tierOf, type Person } from './buyers.ts';
import { describeParkedRequests } from './parked-requests-cases.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import { ofMember, replaysOf } from './replays.ts';

let product: PaymentsProduct;
let support: Person;

beforeAll(async () => {
  product = await startPaymentsProduct({}, { maxAttempts: 2 });
  support = await supportAt(product);
}, 120_000);
afterAll(() => product.close());
afterEach(async () => {
  await product.control('/calls/clear');
  await product.control('/deliveries/rules/clear');
});

const { buyer, lostBuyer, findMember, tryReplay, apply } = replaysOf(() => ({ product, support }));

describe('a replay of payment events', () => {
  it('shows what lost webhooks change, changes it when it is applied, and is then empty', async () => {
    const lost = await lostBuyer();
    expect(await tierOf(lost.member)).toBe('Free none');
    const before = await outsideOf(product);

    const plan = await tryReplay({ mode: 'refetch', target: ofMember(lost) });
    expect(plan.isEmpty).toBe(false);
    expect(plan.failures).toEqual([]);
    expect(plan.fields).toContainEqual(
      expect.objectContaining({
        subject: `Membership ${lost.subscription}`,
        field: 'tier',
        before: null,
        after: 'Pro',
        isOnTape: false,
      }),
    );
    expect(await tierOf(lost.member)).toBe('Free none');

    expect(await apply(plan)).toMatchObject({ outcome: 'applied' });
    await product.settled();
    await eventually(async () => expect(await tierOf(lost.member)).toBe('Pro active'));
    expect(await tryReplay({ mode: 'refetch', target: ofMember(lost) })).toMatchObject({
      isEmpty: true,
      eventCount: 0,
      fieldCount: 0,
    });
    expect(await outsideOf(product)).toEqual(before);
  });

  it('waits for the read models that it begins with, and is refused while they are behind', async () => {
    const connection = await product.product.databases.tapedeck.connect();
    try {
      await connection.query('begin');
      await connection.query('lock table checkouts in exclusive mode');
      await product.control('/deliveries/rules', { action: 'drop' });
      const email = `${newId().slice(-12)}@example.com`;
      const member = await memberAt(product, email);
      await buyAs(member);
      let accountId = '';
      await eventually(async () => expect((accountId = await findMember(email))).not.toBe(''));
      const body = { mode: 'refetch', target: { kind: 'member', accountId } };
      expect(await support.send('POST', replayRoutes.replays, body)).toMatchObject({
        status: 503,
        body: { code: 'REPLAY_READ_MODELS_BEHIND' },
      });
      const waiting = support.send('POST', replayRoutes.replays, body);
      await connection.query('commit');
      expect(await waiting).toMatchObject({ status: 201, body: { isEmpty: false } });
    } finally {
      connection.release(true);
    }
  });

  it('appends exactly the events that it has shown, once, however often and by however many it is applied', async () => {
    const lost = await lostBuyer();
    const plan = await tryReplay({ mode: 'refetch', target: ofMember(lost) });
    const outcomes = [...(await Promise.all([apply(plan), apply(plan)])), await apply(plan)];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied']);
    await product.settled();
    const { rows } = await product.product.databases.tapedeck.query<{ id: string }>(
      `select event_id::text as id from audit_timeline where correlation_id = $1 and stream not like 'replay-%'`,
      [plan.replayId],
    );
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(plan.events.map(({ id }) => id)));
    expect(rows).toHaveLength(plan.eventCount);
  });

  it('is refused with the new difference when the tape has moved on since its dry run', async () => {
    const lost = await lostBuyer();
    const plan = await tryReplay({ mode: 'reread', target: ofMember(lost) });
    await apply(await tryReplay({ mode: 'refetch', target: ofMember(lost) }));
    await product.settled();
    const head = await product.product.store.head();
    const outcome = await apply(plan);
    expect(outcome).toMatchObject({ outcome: 'outdated', plan: { isEmpty: true } });
    expect(outcome.plan.replayId).not.toBe(plan.replayId);
    const added = await product.product.store.readTape({ after: head, limit: 100 });
    expect(added.events.map(({ type }) => type)).toEqual(['ReplayTried']);
  });

  it('is refused with the new difference when Stripe has moved on since its dry run', async () => {
    const lost = await lostBuyer();
    const plan = await tryReplay({ mode: 'reread', target: ofMember(lost) });
    await product.control('/subscriptions/status', { subscription: lost.subscription, status: 'unpaid' });
    const outcome = await apply(plan);
    expect(outcome.outcome).toBe('outdated');
    expect(outcome.plan.fields).toContainEqual(
      expect.objectContaining({ table: 'subscription_customers', after: 'unpaid' }),
    );
    expect(await apply(outcome.plan)).toMatchObject({ outcome: 'applied' });
  });

  it('finds and heals what differs from Stripe, of a subscription, of one event, and of a window of time', async () => {
    const since = new Date(product.clock.now() - 60_000).toISOString();
    const [first, second, third] = [await lostBuyer(), await lostBuyer(), await lostBuyer()];
    const until = new Date(product.clock.now() + 60_000).toISOString();
    await apply(
      await tryReplay({
        mode: 'reread',
        target: { kind: 'member', accountId: first.accountId },
      }),
    );
    const events = await product.stripe.events.list({ types: ['invoice.paid'], limit: 100 });
    const paid = events.data.find(({ data: { object } }) =>
      JSON.stringify(object).includes(second.subscription),
    );
    await apply(await tryReplay({ mode: 'refetch', target: { kind: 'event', eventId: String(paid?.id) } }));
    await apply(await tryReplay({ mode: 'refetch', target: { kind: 'window', from: since, to: until } }));
    await product.settled();
    for (const { member } of [first, second, third]) {
      await eventually(async () => expect(await tierOf(member)).toBe('Pro active'));
    }
    for (const mode of ['reread', 'refetch', 'rebuild'] as const) {
      expect(
        await tryReplay({ mode, target: { kind: 'subscription', subscriptionId: second.subscription } }),
      ).toMatchObject({ isEmpty: true, fields: [] });
    }
  });

  it('handles parked events again, and releases them', async () => {
    await product.control('/deliveries/hold');
    const waiting = await (async () => {
      const email = `${newId().slice(-12)}@example.com`;
      const member = await memberAt(product, email);
      const session = await buyAs(member);
      const { subscription } = await product.stripe.checkout.sessions.retrieve(session);
      return { email, member, accountId: await findMember(email), subscription: String(subscription) };
    })();
    await product.control('/calls/fail', { kind: 'error', count: 100_000, method: 'GET' });
    await product.control('/deliveries/release');
    const pool = product.product.databases.tapedeck;
    const parked = async () => (await pendingEvents(pool, { states: ['parked'] })).length;
    await eventually(async () => expect(await parked()).toBeGreaterThan(0), 60_000);
    await product.control('/calls/clear');
    const plan = await tryReplay({ mode: 'retry', target: ofMember(waiting) });
    expect(plan.released).toBeGreaterThan(0);
    expect(plan.fields).toContainEqual(expect.objectContaining({ field: 'tier', after: 'Pro' }));
    await apply(plan);
    await eventually(async () => expect(await parked()).toBe(0));
    await product.settled();
    expect(await tierOf(waiting.member)).toBe('Pro active');
    expect(await tryReplay({ mode: 'retry', target: ofMember(waiting) })).toMatchObject({ isEmpty: true });
  });

  it('finds rows of read models that differ from what the tape makes of them', async () => {
    const healthy = await buyer();
    expect(await tryReplay({ mode: 'rebuild', target: ofMember(healthy) })).toMatchObject({ isEmpty: true });
    await product.databases.tapedeck.query(`update memberships set tier = 'Elite' where account_id = $1`, [
      healthy.accountId,
    ]);
    expect(await tryReplay({ mode: 'rebuild', target: ofMember(healthy) })).toMatchObject({
      eventCount: 0,
      outdatedReadModels: ['memberships'],
      fields: [{ table: 'memberships', field: 'tier', before: 'Elite', after: 'Pro', isOnTape: true }],
    });
  });

  it('is listed with who and why, and is on the timeline of the member', async () => {
    const lost = await lostBuyer();
    const plan = await tryReplay({ mode: 'refetch', target: ofMember(lost) });
    await product.settled();
    const details = ReplayDetails.parse((await support.get(replayRoutes.one(plan.replayId))).body);
    expect(details.plan).toEqual(plan);
    await apply(plan, 'Asked for by Ann.');
    await product.settled();
    const [newest] = Replays.parse(
      (await support.get(`${replayRoutes.replays}?accountId=${lost.accountId}`)).body,
    ).replays;
    expect(newest).toMatchObject({
      status: 'applied',
      triedByName: 'support@example.com',
      appliedByName: 'support@example.com',
      reason: 'Asked for by Ann.',
      fingerprint: plan.fingerprint,
      events: plan.eventCount,
    });
    const timeline = Timeline.parse((await support.get(auditRoutes.timeline(lost.accountId))).body);
    const types = timeline.events.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['ReplayTried', 'ReplayApplied', 'ReplayCompleted']));
    expect(timeline.events.find(({ type }) => type === 'ReplayApplied')).toMatchObject({
      lane: 'admin',
      actorKind: 'support',
      actorName: 'support@example.com',
    });
  });

  it('changes nothing while Stripe does not answer, says so, and can be applied once it does', async () => {
    const lost = await lostBuyer();
    const plan = await tryReplay({ mode: 'refetch', target: ofMember(lost) });
    const head = await product.product.store.head();
    await product.control('/calls/fail', { kind: 'error', count: 100_000, method: 'GET' });
    const unavailable = { status: 503, body: { code: 'STRIPE_UNAVAILABLE' } };
    const confirmed = { fingerprint: plan.fingerprint, reason: 'The webhook was lost.' };
    expect(
      await support.send('POST', replayRoutes.replays, { mode: 'refetch', target: ofMember(lost) }),
    ).toMatchObject(unavailable);
    expect(await support.send('POST', replayRoutes.apply(plan.replayId), confirmed)).toMatchObject(
      unavailable,
    );
    expect(await product.product.store.head()).toBe(head);
    await product.control('/calls/clear');
    expect(await apply(plan)).toMatchObject({ outcome: 'applied' });
    await product.settled();
    await eventually(async () => expect(await tierOf(lost.member)).toBe('Pro active'));
  });

  it('brings what was paid and nothing personal of a member who has deleted the account', async () => {
    const lost = await lostBuyer();
    const { email, member, subscription } = lost;
    expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
    await product.settled();
    const before = await outsideOf(product);
    const target = { kind: 'subscription', subscriptionId: subscription } as const;
    const plan = await tryReplay({ mode: 'reread', target });
    expect(JSON.stringify(plan)).not.toContain(email);
    expect(await apply(plan)).toMatchObject({ outcome: 'applied' });
    await product.settled();
    // Somebody decides whether the subscription of nobody is refunded and ended at Stripe.
    const held = (await pendingEvents(product.product.databases.tapedeck)).filter(({ isHeld }) => isHeld);
    expect(held.map(({ type }) => type).sort()).toEqual([
      'BuyerForgotten',
      'StripeWriteRequested',
      'StripeWriteRequested',
    ]);
    expect(await outsideOf(product)).toEqual(before);
    const { refused } = Queues.parse((await support.get(queueRoutes.queues)).body);
    const listed = refused.items.filter((item) => item.subscriptionId === subscription);
    expect(new Set(listed.map(({ kind, code, isHeld }) => `${kind} ${code} ${isHeld}`))).toEqual(
      new Set(['end-now HELD true', 'refund HELD true']),
    );
    expect(await tryReplay({ mode: 'reread', target })).toMatchObject({ isEmpty: true });
  });

  it('is refused for a target that its mode cannot have, and for a dry run that nobody has made', async () => {
    const window = { kind: 'window', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
    expect(
      await support.send('POST', replayRoutes.replays, { mode: 'reread', target: window }),
    ).toMatchObject({ status: 422, body: { code: 'REPLAY_TARGET_UNFIT' } });
    const confirmed = { fingerprint: 'a'.repeat(64), reason: 'x' };
    expect(await support.send('POST', replayRoutes.apply(newId()), confirmed)).toMatchObject({
      status: 404,
      body: { code: 'REPLAY_NOT_FOUND' },
    });
    expect(
      await support.send('POST', replayRoutes.apply(newId()), { ...confirmed, reason: ' ' }),
    ).toMatchObject({ status: 400 });
  });
});

describeParkedRequests(() => ({ product, support }));
