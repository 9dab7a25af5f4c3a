import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountStream } from '@tapedeck/identity/events';
import { newId, type AccountId } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { checkoutStream, subscriptionStream } from '@tapedeck/payments/events';
import { auditRoutes, type FoundMembers, Timeline } from './contract.ts';
import { addBuyer, findMembers, idsOf } from './testing/add-buyer.ts';
import { startAuditApi, type AuditApi } from './testing/audit-api.ts';
import { newCast } from './testing/random-members.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

const get = async (path: string): Promise<unknown> => (await api.call('GET', path)).body;
const find = (q: string): Promise<FoundMembers> => findMembers(api, q);
const timeline = async (member: AccountId, query = ''): Promise<Timeline> =>
  Timeline.parse(await get(`${auditRoutes.timeline(member)}?${query}`));
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
    const { member, ids } = await addBuyer(api, 'ids@find.example');
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

  it('says what the member has now, and finds unclaimed purchases by their address', async () => {
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
