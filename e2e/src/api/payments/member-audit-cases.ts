import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  AccessExplanation,
  AuditedMember,
  auditRoutes,
  FoundMembers,
  Timeline,
} from '@tapedeck/audit/contract';
import { eventually } from '@tapedeck/eventing/testing';
import type { AccountId } from '@tapedeck/kernel';
import { buyAs, buyByEmail, mailsTo, memberAt, personAt, supportAt, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
let support: Person;
const daySeconds = 86_400;

const find = async (q: string): Promise<FoundMembers> =>
  FoundMembers.parse((await support.get(`${auditRoutes.find}?q=${encodeURIComponent(q)}`)).body);
const show = async (id: AccountId): Promise<AuditedMember> =>
  AuditedMember.parse((await support.get(auditRoutes.member(id))).body);
const access = async (id: AccountId): Promise<AccessExplanation> =>
  AccessExplanation.parse((await support.get(auditRoutes.access(id))).body);

const timelineOf = async (id: AccountId, filter = ''): Promise<Timeline['events']> => {
  const events: Timeline['events'] = [];
  for (let before: string | null = ''; before !== null;) {
    const cursor: string = before === '' ? '' : `&before=${before}`;
    const page: Timeline = Timeline.parse(
      (await support.get(`${auditRoutes.timeline(id)}?${filter}${cursor}`)).body,
    );
    events.push(...page.events);
    before = page.before;
  }
  return events;
};

const idOf = async (email: string): Promise<AccountId> => {
  const { members } = await find(email);
  return (members[0]?.accountId ?? '') as AccountId;
};

/** After a position, the newest first. */
const stripeEventsAfter = async (position: bigint): Promise<readonly string[]> => {
  const { rows } = await product.product.databases.tapedeck.query<{ stream: string }>(
    `select stream from tape_events where type = 'StripeEventReceived' and position > $1 order by position desc`,
    [String(position)],
  );
  return rows.map(({ stream }) => stream);
};

export const describeMemberAudit = (running: () => PaymentsProduct): void => {
  describe('the history of a member', () => {
    beforeAll(async () => {
      product = running();
      support = await supportAt(product);
    });

    it('has every event that Stripe sent about the purchase, also those that name only a charge, and says why there is access', async () => {
      const email = 'buyer@audit.example';
      const before = await product.product.store.head();
      const sessionId = await buyAs(await memberAt(product, email));
      await product.settled();
      const { customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
      const charge =
        (await product.stripe.charges.list({ customer: String(customer), limit: 1 })).data[0]?.id ?? '';
      await product.control('/refunds', { charge, amount: 100 });
      const dispute = (await product.control('/disputes', { charge })) as { id: string };
      await product.control('/disputes/close', { id: dispute.id, outcome: 'won' });
      await product.settled();
      const id = await idOf(email);
      const received = await timelineOf(id, 'types=StripeEventReceived');
      expect(received.map(({ stream }) => stream)).toEqual(await stripeEventsAfter(before));
      const explained = await access(id);
      expect(explained.sentence).toMatch(/^Pro until .* because the invoice of \$4\.99 was paid on /u);
      expect(explained.chain.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['StripeEventReceived', 'PaymentRecorded', 'MembershipActivated']),
      );
      expect(explained.view).toMatchObject({ tier: 'Pro', paid: 499, refunded: 100, isDisputed: false });
      for (const q of [charge, dispute.id, String(customer), sessionId])
        expect((await find(q)).members).toMatchObject([{ accountId: id, tier: 'Pro', status: 'active' }]);
    });

    it('has all of a purchase that another address has paid, from its checkout on', async () => {
      const [payer, taker] = ['payer@audit.example', 'taker@audit.example'];
      const sessionId = await buyByEmail(personAt(product), payer);
      await product.settled();
      const { subscription } = await product.stripe.checkout.sessions.retrieve(sessionId);
      expect((await find('payer@audit')).purchases).toMatchObject([
        { subscriptionId: subscription, email: payer },
      ]);
      const member = await memberAt(product, taker);
      await member.send('POST', '/api/claims/code', { email: payer });
      let code = '';
      await eventually(async () => {
        const [mail] = await mailsTo(product, payer);
        code = /\b\d{6}\b/u.exec(`${mail?.subject} ${mail?.text}`)?.[0] ?? '';
        expect(code).not.toBe('');
      });
      await member.send('POST', '/api/claims', { code });
      await product.settled();
      const id = await idOf(taker);
      const types = (await timelineOf(id)).map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['CheckoutStarted', 'PurchaseUnclaimed', 'PaymentTransferred']),
      );
      expect((await access(id)).sentence).toMatch(/^Pro until /u);
      expect((await find('payer@audit')).purchases).toEqual([]);
      expect(await show(id)).toMatchObject({ subscriptions: [{ subscriptionId: subscription }] });
    });

    it('stays when the account is deleted, with nothing that says who it was', async () => {
      const email = 'deleted@audit.example';
      const member = await memberAt(product, email);
      await buyAs(member, 'elite');
      await product.settled();
      const id = await idOf(email);
      await support.send('POST', auditRoutes.notes(id), { text: 'Deleted At Audit has called' });
      const answer = await member.send('DELETE', '/api/account', { confirmation: email });
      expect(answer.status).toBe(204);
      await product.settled();
      expect(await find(email)).toEqual({ members: [], purchases: [], isComplete: true });
      const shown = await show(id);
      expect(shown).toMatchObject({ isDeleted: true, email: null, name: null, notes: [{ text: null }] });
      const events = await timelineOf(id);
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['PaymentRecorded', 'AccountForgotten']),
      );
      const details = await Promise.all(
        events.map(async (event) =>
          JSON.stringify((await support.get(auditRoutes.event(id, event.id))).body),
        ),
      );
      expect(details.filter((text) => /deleted@audit|Deleted At Audit/iu.test(text))).toEqual([]);
    });

    it('names the renewal as the reason of renewed access', async () => {
      const email = 'renewed@audit.example';
      await buyAs(await memberAt(product, email), 'elite');
      await product.settled();
      await product.control('/clock', { seconds: 32 * daySeconds });
      await product.settled();
      support = await supportAt(product);
      const id = await idOf(email);
      await eventually(async () => {
        const explained = await access(id);
        expect(explained.chain.map(({ type }) => type)).toContain('MembershipRenewed');
        expect(explained.view).toMatchObject({ tier: 'Elite', paid: 3_998 });
      });
    });
  });
};
