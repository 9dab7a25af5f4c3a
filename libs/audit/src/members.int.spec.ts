import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { favouritesStream } from '@tapedeck/favourites/events';
import { accountStream } from '@tapedeck/identity/events';
import { newId, type AccountId } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { checkoutStream, claimStream, subscriptionStream } from '@tapedeck/payments/events';
import { asAccount, asRoles } from '@tapedeck/platform/testing';
import {
  AuditedMember,
  auditRoutes,
  EventDetail,
  FoundMembers,
  Timeline,
  timelinePageSize,
} from './contract.ts';
import { auditStream } from './events.ts';
import { startAuditApi, type AuditApi } from './testing/audit-api.ts';
import { eventsOf, newCast } from './testing/random-members.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

const get = async (path: string): Promise<unknown> => (await api.call('GET', path)).body;
const find = async (q: string): Promise<FoundMembers> =>
  FoundMembers.parse(await get(`${auditRoutes.find}?q=${encodeURIComponent(q)}`));
const idsOf = ({ members }: FoundMembers): readonly string[] => members.map(({ accountId }) => accountId);
const show = async (member: AccountId): Promise<AuditedMember> =>
  AuditedMember.parse(await get(auditRoutes.member(member)));
const timeline = async (member: AccountId, query = ''): Promise<Timeline> =>
  Timeline.parse(await get(`${auditRoutes.timeline(member)}?${query}`));
const typesIn = ({ events }: Timeline): readonly string[] => events.map(({ type }) => type);

const forget = async (member: AccountId): Promise<void> => {
  await api.add(accountStream(member), 'AccountForgotten', { accountId: member });
  await api.store.forget(member);
};

/** A member with one paid purchase. */
const buyer = async (
  email: string,
): Promise<Readonly<{ member: AccountId; ids: ReturnType<typeof newCast> }>> => {
  const member = await api.register(email);
  const ids = { ...newCast(), accounts: [member] };
  for (const what of ['start', 'pay', 'claim', 'stripe: subscription', 'stripe: charge'] as const)
    for (const { stream, type, data } of eventsOf({ what, purchase: 0, account: 0 }, ids))
      await api.add(stream, type, data);
  return { member, ids };
};

describe('finding a member', () => {
  it('answers to the beginnings of names and to any part of the e-mail address, folded as searches are', async () => {
    const member = await api.register('Zoe.Quine@Example.com', ['Zoé', 'Quiné']);
    await api.project();
    for (const q of ['zoe quin', 'QUINE', 'zoe.quine@example', 'quine@', 'quine zo'])
      expect([q, idsOf(await find(q))]).toEqual([q, [member]]);
    expect(idsOf(await find('oe quine'))).toEqual([]);
    expect(idsOf(await find('uine zo'))).toEqual([]);
  });

  it('follows a changed address without being asked to', async () => {
    const member = await api.register('before@follow.example');
    await api.project();
    expect(idsOf(await find('before@follow'))).toEqual([member]);
    const data = { accountId: member, email: 'after@follow.example', emailVerified: true };
    await api.add(accountStream(member), 'EmailChanged', data);
    await api.project();
    expect(idsOf(await find('before@follow'))).toEqual([]);
    expect(idsOf(await find('after@follow'))).toEqual([member]);
  });

  it('answers to every exact id of the purchase, and says what it was', async () => {
    const { member, ids } = await buyer('ids@find.example');
    await api.project();
    const [purchase] = ids.purchases;
    const { events } = await timeline(member, 'types=StripeEventReceived');
    const evt = events[0]?.stream.slice('stripeEvent-'.length) ?? '';
    const asked = {
      [member]: 'account',
      [purchase?.subscription ?? '']: 'subscription',
      [purchase?.customer ?? '']: 'customer',
      [purchase?.invoice ?? '']: 'invoice',
      [purchase?.charge ?? '']: 'charge',
      [evt]: 'event',
      [events[0]?.id ?? '']: 'event',
    };
    for (const [q, matched] of Object.entries(asked))
      expect([q, (await find(q)).members]).toMatchObject([q, [{ accountId: member, matched }]]);
    expect(idsOf(await find(`${purchase?.charge}x`))).toEqual([]);
  });

  it('says what the member has now, and finds purchases that nobody has claimed by their address', async () => {
    const granted = await api.register('granted@find.example');
    const grant = { accountId: granted, grantId: newId(), tier: 'Elite', until: null, reason: 'Press' };
    await api.add(membershipStream(granted), 'ComplimentaryAccessGranted', grant);
    const { purchases } = newCast();
    const [{ intent: intentId, subscription: subscriptionId } = { intent: '', subscription: '' }] = purchases;
    const plan = { tier: 'Pro', period: 'monthly' };
    await api.add(checkoutStream(intentId), 'CheckoutStarted', {
      intentId,
      accountId: null,
      email: 'unclaimed@find.example',
      emailHash: 'h',
      ...plan,
      intro: false,
      claimSecretHash: 'secret',
      personalSubject: `checkout:${intentId}`,
    });
    const times = { paidAt: '2026-11-20T00:00:00.000Z', refundAt: '2026-12-20T00:00:00.000Z', remindAt: [] };
    await api.add(subscriptionStream(subscriptionId), 'PurchaseUnclaimed', {
      subscriptionId,
      intentId,
      plan,
      ...times,
    });
    await api.project();
    expect((await find('granted@find')).members).toMatchObject([{ tier: 'Elite', status: 'complimentary' }]);
    const purchase = { subscriptionId, email: 'unclaimed@find.example', paidAt: times.paidAt };
    expect((await find('unclaimed@find')).purchases).toMatchObject([purchase]);
    expect((await find(subscriptionId)).purchases).toMatchObject([purchase]);
    const claimed = { subscriptionId, intentId, accountId: granted, proof: 'mailbox' };
    await api.add(subscriptionStream(subscriptionId), 'PaymentClaimed', claimed);
    await api.project();
    expect(await find('unclaimed@find')).toEqual({ members: [], purchases: [], isComplete: true });
  });

  it('answers with twenty at most, and says that there are more', async () => {
    for (let at = 0; at < 21; at++) await api.register(`many${at}@crowd.example`);
    await api.project();
    const found = await find('@crowd.example');
    expect([found.members.length, found.isComplete]).toEqual([20, false]);
  });
});

describe('a member', () => {
  it('is shown with what belongs to them, and the reading is recorded once a day and person', async () => {
    const { member, ids } = await buyer('shown@member.example');
    await api.add(accountStream(member), 'RoleGranted', { accountId: member, role: 'support', reason: 'x' });
    await api.project();
    const shown = await show(member);
    expect(shown).toMatchObject({
      email: 'shown@member.example',
      name: 'Ada Lovelace',
      roles: ['support'],
      isDeleted: false,
      subscriptions: [
        {
          subscriptionId: ids.purchases[0]?.subscription,
          customerId: ids.purchases[0]?.customer,
          stripeUrl: expect.stringContaining(ids.purchases[0]?.subscription ?? ''),
        },
      ],
    });
    await show(member);
    const another = { [asAccount]: newId(), [asRoles]: 'admin' };
    await api.call('GET', auditRoutes.member(member), undefined, another);
    const readers = async (): Promise<readonly string[]> =>
      (await api.store.readStream(auditStream(member))).map(({ metadata }) => metadata.actorKind);
    expect(await readers()).toEqual(['support', 'admin']);
    api.clock.advance(86_400_000);
    await show(member);
    expect(await readers()).toEqual(['support', 'admin', 'support']);
    expect(await api.call('GET', auditRoutes.member(newId() as AccountId))).toMatchObject({
      status: 404,
      body: { code: 'MEMBER_NOT_FOUND' },
    });
  });

  it('has a timeline in pages, by lane, type, actor and time', async () => {
    const member = await api.register('paged@member.example');
    for (let at = 0; at < timelinePageSize + 5; at++) {
      const data = { accountId: member, urlId: `S${at}`, revision: at };
      const day = at < 10 ? '01' : '02';
      await api.add(favouritesStream(member), 'FavouriteRemoved', data, {
        occurredAt: `2026-11-${day}T00:00:00.000Z`,
      });
    }
    await api.add(membershipStream(member), 'MembershipEnded', {
      accountId: member,
      subscriptionId: 'sub_none',
      reason: 'canceled',
      endedAt: null,
    });
    await api.project();
    const first = await timeline(member);
    const second = await timeline(member, `before=${first.before}`);
    expect([first.events.length, second.events.length, second.before]).toEqual([timelinePageSize, 7, null]);
    expect(new Set([...first.events, ...second.events].map(({ id }) => id)).size).toBe(timelinePageSize + 7);
    expect(first.events[0]).toMatchObject({ text: 'Membership ended: it was cancelled', lane: 'membership' });
    expect(typesIn(await timeline(member, 'lanes=membership,admin'))).toEqual(['MembershipEnded']);
    expect(typesIn(await timeline(member, 'types=AccountRegistered,MembershipEnded'))).toEqual([
      'MembershipEnded',
      'AccountRegistered',
    ]);
    const days = 'from=2026-11-01T00:00:00Z&to=2026-11-01T23:59:59Z';
    expect((await timeline(member, days)).events).toHaveLength(10);
    expect((await timeline(member, 'actorKind=stripe')).events).toEqual([]);
    expect((await api.call('GET', `${auditRoutes.timeline(member)}?lanes=other`)).status).toBe(400);
  });

  it('shows an event as it is stored, without secrets, and none of other members', async () => {
    const member = await api.register('event@member.example');
    const other = await api.register('other@member.example');
    const correlationId = newId();
    const request = {
      claimId: newId(),
      email: 'event@member.example',
      emailHash: 'h',
      codeHash: 'c',
      code: '123456',
    };
    const data = { accountId: member, ...request, expiresAt: '2026-11-22T13:00:00.000Z' };
    await api.add(claimStream(member), 'ClaimCodeRequested', data, { correlationId });
    const failed = { claimId: request.claimId, attempt: 1 };
    await api.add(
      claimStream(member),
      'ClaimCodeFailed',
      { accountId: member, ...failed },
      { correlationId },
    );
    await api.add(claimStream(other), 'ClaimCodeFailed', { accountId: other, ...failed }, { correlationId });
    await api.project();
    const { events } = await timeline(member, 'types=ClaimCodeRequested');
    const id = events[0]?.id ?? '';
    const answer = await api.call('GET', auditRoutes.event(member, id));
    const detail = EventDetail.parse(answer.body);
    expect(detail).toMatchObject({
      event: { id, lane: 'mail' },
      data: { email: 'event@member.example', code: { $hidden: true } },
      metadata: { correlationId },
    });
    expect(detail.correlation.map(({ stream }) => stream)).toEqual([
      claimStream(member),
      claimStream(member),
    ]);
    expect(answer.text).not.toContain('123456');
    expect((await api.call('GET', auditRoutes.event(other, id))).status).toBe(404);
  });

  it('cannot be read by somebody without a role', async () => {
    const member = await api.register('closed@member.example');
    await api.project();
    const asMember = { [asAccount]: member, [asRoles]: '' };
    expect((await api.call('GET', auditRoutes.member(member), undefined, asMember)).status).toBe(403);
    expect(await api.store.readStream(auditStream(member))).toEqual([]);
  });
});

describe('a deleted account', () => {
  it('keeps its timeline, and nothing that says who it was', async () => {
    const { member, ids } = await buyer('gone@deleted.example');
    await api.project();
    expect(idsOf(await find('gone@deleted'))).toEqual([member]);
    await forget(member);
    // Also before the read model knows of it.
    expect(idsOf(await find('gone@deleted'))).toEqual([]);
    await api.project();
    expect(await find('gone@deleted')).toEqual({ members: [], purchases: [], isComplete: true });
    expect((await find(ids.purchases[0]?.subscription ?? '')).members).toMatchObject([
      { accountId: member, email: null, name: null },
    ]);
    expect(await show(member)).toMatchObject({ isDeleted: true, email: null, name: null, events: 8 });
    const { events } = await timeline(member);
    expect(events.map(({ type }) => type)).toContain('PaymentRecorded');
    const registered = events.find(({ type }) => type === 'AccountRegistered')?.id ?? '';
    const { text } = await api.call('GET', auditRoutes.event(member, registered));
    expect(text).toContain('"email":{"$forgotten":true}');
    const rows = await api.databases.tapedeck.query(
      'select email, first_name, last_name, discord_email from audit_people where account_id = $1',
      [member],
    );
    expect(rows.rows).toEqual([{ email: null, first_name: null, last_name: null, discord_email: null }]);
  });
});
