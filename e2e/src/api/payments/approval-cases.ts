import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Timeline } from '@tapedeck/audit/contract';
import { eventually } from '@tapedeck/eventing/testing';
import { moneyRoutes, type WantedAction } from '@tapedeck/payments/contract';
import type { Answer, Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';
import {
  codeOf,
  moneyOf,
  proposalsFor,
  reason,
  refundsAt,
  signInStaff,
  staffAt,
  subscriberAt,
  take,
  timelineAt,
  type Subscriber,
} from './support-people.ts';

let product: PaymentsProduct;
let support: Person;
let admin: Person;

const daySeconds = 86_400;

/** Of all that is left, or of a part. */
const refundOf = async (one: Subscriber, amount?: number): Promise<WantedAction> => {
  await product.settled();
  const [payment] = (await moneyOf(support, one.accountId)).subscriptions[0]?.payments ?? [];
  return { kind: 'refund', invoiceId: payment?.invoiceId ?? '', amount: amount ?? payment?.amount ?? 0 };
};
const refundedAt = async (one: Subscriber): Promise<number> => (await refundsAt(product, one)).amount;
const timelineOf = (one: Subscriber, types: string): Promise<Timeline['events']> =>
  timelineAt(product, admin, one, types);

/** Of a product with a limit between the prices of Pro and of Elite. */
export const describeApprovals = (running: () => PaymentsProduct): void => {
  describe('an action above the limit', () => {
    beforeAll(async () => {
      product = running();
      ({ support, admin } = await signInStaff(product));
    });

    const approveAs = (person: Person, proposalId: string, previewId: string): Promise<Answer> =>
      person.send('POST', moneyRoutes.approve(proposalId), { previewId, reason: 'I agree.' });
    const previewFor = (person: Person, proposalId: string, one: Subscriber): Promise<Answer> =>
      person.send('POST', moneyRoutes.previewProposal(proposalId), { subscriptionId: one.subscriptionId });
    const proposedFor = async (one: Subscriber, by: Person): Promise<string> => {
      expect(await take(by, one, await refundOf(one))).toBe('proposed');
      await product.settled();
      return (await proposalsFor(by, one.accountId))[0]?.proposalId ?? '';
    };

    it('waits for another admin, who sees it computed again', async () => {
      const one = await subscriberAt(product, 'elite');
      const proposalId = await proposedFor(one, admin);
      expect(await refundedAt(one)).toBe(0);
      expect(await proposalsFor(admin, one.accountId)).toMatchObject([
        { isOwn: true, mayApprove: false, refunded: 1_999, reason, proposedByName: 'admin@example.com' },
      ]);
      expect((await previewFor(support, proposalId, one)).status).toBe(403);
      const own = await previewFor(admin, proposalId, one);
      expect(codeOf(await approveAs(admin, proposalId, String(own.body['previewId'])))).toBe(
        '403 OWN_PROPOSAL',
      );
      const second = await staffAt(product, 'admin', 'second@example.com');
      const shown = await previewFor(second, proposalId, one);
      expect(shown.body).toMatchObject({ refunded: 1_999 });
      const previewId = String(shown.body['previewId']);
      expect(await take(support, one, await refundOf(one, 99))).toBe('done');
      await product.settled();
      expect(codeOf(await approveAs(second, proposalId, previewId))).toBe('409 REFUND_TOO_LARGE');
      const reject = { subscriptionId: one.subscriptionId, reason: 'Too much by now.' };
      expect((await second.send('POST', moneyRoutes.reject(proposalId), reject)).status).toBe(204);
      await product.settled();
      expect(await proposalsFor(second, one.accountId)).toEqual([]);
      expect(await refundedAt(one)).toBe(99);
    });

    it('is done once when two admins approve it at once', async () => {
      const one = await subscriberAt(product, 'elite');
      const proposalId = await proposedFor(one, support);
      const second = await staffAt(product, 'admin', 'second@example.com');
      const previews = [await previewFor(admin, proposalId, one), await previewFor(second, proposalId, one)];
      const answers = await Promise.all(
        [admin, second].map((person, index) =>
          approveAs(person, proposalId, String(previews[index]?.body['previewId'])),
        ),
      );
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      await product.settled();
      expect(await refundsAt(product, one)).toEqual({ amount: 1_999, count: 1 });
      const [taken] = await timelineOf(one, 'MoneyActionTaken');
      expect(taken?.text).toMatch(/^Approved, as account /);
      expect(taken?.reason).toBe('I agree.');
    });

    it('can be withdrawn by who has proposed it, and expires after seven days', async () => {
      const one = await subscriberAt(product, 'elite');
      const proposalId = await proposedFor(one, support);
      const body = { subscriptionId: one.subscriptionId, reason: 'A mistake.' };
      const colleague = await staffAt(product, 'support', 'colleague@example.com');
      const notOwn = await colleague.send('POST', moneyRoutes.reject(proposalId), body);
      expect(codeOf(notOwn)).toBe('403 PROPOSAL_OF_ANOTHER');
      expect((await support.send('POST', moneyRoutes.reject(proposalId), body)).status).toBe(204);
      const again = await proposedFor(one, support);
      expect(again).not.toBe(proposalId);
      await product.control('/clock', { seconds: 7 * daySeconds + 60 });
      ({ support, admin } = await signInStaff(product));
      await eventually(async () => expect(await timelineOf(one, 'MoneyActionExpired')).toHaveLength(1));
      expect(await proposalsFor(admin, one.accountId)).toEqual([]);
      expect((await previewFor(admin, again, one)).status).toBe(404);
      expect(await refundedAt(one)).toBe(0);
    });
  });
};
