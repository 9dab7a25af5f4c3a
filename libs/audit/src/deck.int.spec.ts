import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountStream } from '@tapedeck/identity/events';
import { newId, type AccountId } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { day, failure, snapshot } from '@tapedeck/payments/testing';
import { asRoles } from '@tapedeck/platform/testing';
import { auditRoutes, RecentMembers, TapeDeck, Timeline } from './contract.ts';
import { addBuyer } from './testing/add-buyer.ts';
import { appendTape } from './testing/append-tape.ts';
import { startAuditApi, type AuditApi } from './testing/audit-api.ts';
import { eventsOf } from './testing/random-members.ts';
import { grant, newTape, passTo, tell } from './testing/tape.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

const deck = async (member: AccountId): Promise<TapeDeck> =>
  TapeDeck.parse((await api.call('GET', auditRoutes.deck(member))).body);
const timeline = async (member: AccountId): Promise<Timeline> =>
  Timeline.parse((await api.call('GET', auditRoutes.timeline(member))).body);
const recent = async (): Promise<RecentMembers['members']> =>
  RecentMembers.parse((await api.call('GET', auditRoutes.recent)).body).members;

describe('what is drawn of a member', () => {
  it('is every event of the history, with its time, its lane, and whether it is a failure', async () => {
    const failed = tell(
      tell(newTape, snapshot()),
      snapshot('past_due', { observedAt: day('02-01') }, { failures: [failure('in_2', 1, null)] }),
    );
    const granted = grant(
      passTo(failed, day('02-15')),
      { id: 'g', tier: 'Elite', until: null },
      day('02-16'),
    );
    const { accountId } = await appendTape(api.store, granted);
    await api.project();
    const { kinds, marks, total, bands } = await deck(accountId);
    const { events } = await timeline(accountId);
    expect([marks.length, total]).toEqual([events.length, events.length]);
    expect(marks.map(([time, kind]) => ({ time, ...kinds[kind] }))).toEqual(
      events.map(({ type, lane, occurredAt, isFailure }) => ({
        time: Date.parse(occurredAt),
        type,
        lane,
        isFailure,
      })),
    );
    expect(kinds.filter((kind) => kind.isFailure).map(({ type }) => type)).toEqual([
      'MembershipSuspended',
      'GraceStarted',
      'PaymentFailed',
    ]);
    expect(bands.map(({ tier, status }) => `${tier} ${status}`)).toEqual([
      'Pro active',
      'Pro grace',
      'Free suspended',
      'Elite complimentary',
    ]);
  });

  it('is of no other account', async () => {
    const [one, other] = [await api.register('one@deck.example'), await api.register('other@deck.example')];
    await api.project();
    expect((await deck(one)).total).toBe(1);
    expect((await deck(other)).marks).toHaveLength(1);
    expect((await api.call('GET', auditRoutes.deck(newId() as AccountId))).status).toBe(404);
  });
});

describe('what the timeline says of accounts', () => {
  it('names them by their e-mail addresses, and by a part of the id once they are deleted', async () => {
    const { ids } = await addBuyer(api, 'first@names.example');
    const taker = await api.register('taker@names.example');
    for (const { stream, type, data } of eventsOf(
      { what: 'transfer', purchase: 0, account: 0 },
      { ...ids, accounts: [taker] },
    ))
      await api.add(stream, type, data);
    await api.project();
    const transferred = async (): Promise<unknown> =>
      (await timeline(taker)).events
        .find(({ type }) => type === 'PaymentTransferred')
        ?.parts.find(({ link }) => link?.kind === 'account');
    const link = { kind: 'account', id: taker, url: null };
    expect(await transferred()).toEqual({ text: 'taker@names.example', isMain: false, link });
    await api.add(accountStream(taker), 'AccountForgotten', { accountId: taker });
    await api.store.forget(taker);
    await api.project();
    expect(await transferred()).toEqual({ text: `…${taker.slice(-4)}`, isMain: false, link });
  });
});

describe('recent members', () => {
  it('are those who were registered or have changed last, with how they stand, without deleted ones', async () => {
    const first = await api.register('first@recent.example', ['Ida', 'Rhodes']);
    const gone = await api.register('gone@recent.example');
    const last = await api.register('last@recent.example');
    const given = { accountId: last, grantId: newId(), tier: 'Elite', until: null, reason: 'Press' };
    await api.add(membershipStream(last), 'ComplimentaryAccessGranted', given);
    await api.add(accountStream(gone), 'AccountForgotten', { accountId: gone });
    await api.store.forget(gone);
    await api.project();
    const [newest, before] = await recent();
    expect(newest).toMatchObject({ accountId: last, tier: 'Elite', status: 'complimentary' });
    expect(before).toMatchObject({ email: 'first@recent.example', name: 'Ida Rhodes', status: 'none' });
    const profile = { accountId: first, discordEmail: 'ida@d.example', tradingViewUsername: 'ida' };
    await api.add(accountStream(first), 'ProfileCompleted', profile);
    await api.project();
    expect((await recent()).map(({ accountId }) => accountId).slice(0, 2)).toEqual([first, last]);
  });

  it('are not for members', async () => {
    const headers = { [asRoles]: '' };
    expect((await api.call('GET', auditRoutes.recent, undefined, headers)).status).toBe(403);
  });
});
