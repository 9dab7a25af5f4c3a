import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { favouritesStream } from '@tapedeck/favourites/events';
import { accountStream } from '@tapedeck/identity/events';
import { newId, type AccountId } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { claimStream } from '@tapedeck/payments/events';
import { asAccount, asRoles } from '@tapedeck/platform/testing';
import {
  AuditedMember,
  auditRoutes,
  EventDetail,
  type FoundMembers,
  Timeline,
  timelinePageSize,
} from './contract.ts';
import { auditStream } from './domain/audit.ts';
import { addBuyer, findMembers, idsOf } from './testing/add-buyer.ts';
import { startAuditApi, type AuditApi } from './testing/audit-api.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

const get = async (path: string): Promise<unknown> => (await api.call('GET', path)).body;
const find = (q: string): Promise<FoundMembers> => findMembers(api, q);
const show = async (member: AccountId): Promise<AuditedMember> =>
  AuditedMember.parse(await get(auditRoutes.member(member)));
const timeline = async (member: AccountId, query = ''): Promise<Timeline> =>
  Timeline.parse(await get(`${auditRoutes.timeline(member)}?${query}`));
const typesIn = ({ events }: Timeline): readonly string[] => events.map(({ type }) => type);

const forget = async (member: AccountId): Promise<void> => {
  await api.add(accountStream(member), 'AccountForgotten', { accountId: member });
  await api.store.forget(member);
};

describe('a member', () => {
  it('is shown with what belongs to them, and that it was read is recorded once a day and person', async () => {
    const { member, ids } = await addBuyer(api, 'shown@member.example');
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

describe('odd requests', () => {
  it('are refused or answered, and never fail', async () => {
    const member = await api.register('odd@member.example');
    await api.project();
    const one = auditRoutes.timeline(member);
    const answers = {
      [`${one}?before=999999999999999999`]: 200,
      [`${one}?before=9999999999999999999`]: 400,
      [`${one}?from=0000-01-01T00:00:00Z`]: 400,
      [`${one}?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z`]: 200,
      [`${one}?types=%00`]: 400,
      [`${one}?actorKind=%27`]: 400,
      [`${one}?lanes=`]: 400,
      [auditRoutes.timeline(member.toUpperCase())]: 200,
      [auditRoutes.timeline('unknown')]: 400,
      [`${auditRoutes.find}?q=%00%00%F0%9F%92%A9`]: 200,
      [`${auditRoutes.find}?q=${'0'.repeat(255)}`]: 200,
      [`${auditRoutes.find}?q=%25%5F%27%3B--`]: 200,
      [`${auditRoutes.find}?q=x`]: 400,
      [`${auditRoutes.access(member)}?at=0000-01-01T00:00:00Z`]: 200,
      [`${auditRoutes.access(member)}?at=9999-12-31T23:59:59Z&knowledge=now`]: 200,
      [`${auditRoutes.difference(member)}?from=9999-12-31T23:59:59Z&to=0001-01-01T00:00:00Z`]: 200,
      [auditRoutes.difference(member)]: 400,
      [`${auditRoutes.export(member)}?format=xlsx`]: 400,
      [auditRoutes.export(newId())]: 400,
      [`${auditRoutes.export(newId())}?format=csv`]: 404,
      [auditRoutes.event(member, 'unknown')]: 400,
    };
    for (const [path, status] of Object.entries(answers)) {
      expect([path, (await api.call('GET', path)).status]).toEqual([path, status]);
    }
  });
});

describe('a deleted account', () => {
  it('keeps its timeline, and nothing that says who it was', async () => {
    const { member, ids } = await addBuyer(api, 'gone@deleted.example');
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
