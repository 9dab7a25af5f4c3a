import { expect } from '@jest/globals';
import { auditRoutes, FoundMembers } from '@tapedeck/audit/contract';
import { newId } from '@tapedeck/kernel';
import { ReplayOutcome, ReplayPlan, replayRoutes, type TryReplayBody } from '@tapedeck/replay/contract';
import { buyAs, memberAt, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

export type ReplayScene = Readonly<{ product: PaymentsProduct; support: Person }>;

export type Buyer = Readonly<{ email: string; member: Person; accountId: string; subscription: string }>;

export const ofMember = ({ accountId }: Buyer) => ({ kind: 'member', accountId }) as const;

export type Replays = Readonly<{
  findMember: (email: string) => Promise<string>;
  /** Has paid for Pro. */
  buyer: () => Promise<Buyer>;
  /** Has paid, and no webhook says so. */
  lostBuyer: () => Promise<Buyer>;
  tryReplay: (body: TryReplayBody) => Promise<ReplayPlan>;
  apply: (plan: ReplayPlan, reason?: string) => Promise<ReplayOutcome>;
}>;

/** What support does with a running product. */
export const replaysOf = (scene: () => ReplayScene): Replays => {
  const findMember: Replays['findMember'] = async (email) => {
    const answer = await scene().support.get(`${auditRoutes.find}?q=${encodeURIComponent(email)}`);
    return FoundMembers.parse(answer.body).members[0]?.accountId ?? '';
  };
  const buyer: Replays['buyer'] = async () => {
    const { product } = scene();
    const email = `${newId().slice(-12)}@example.com`;
    const member = await memberAt(product, email);
    const sessionId = await buyAs(member);
    await product.settled();
    const { subscription } = await product.stripe.checkout.sessions.retrieve(sessionId);
    return { email, member, accountId: await findMember(email), subscription: String(subscription) };
  };
  return {
    findMember,
    buyer,
    lostBuyer: async () => {
      await scene().product.control('/deliveries/rules', { action: 'drop' });
      return buyer();
    },
    tryReplay: async (body) => {
      const answer = await scene().support.send('POST', replayRoutes.replays, body);
      expect(answer).toMatchObject({ status: 201 });
      return ReplayPlan.parse(answer.body);
    },
    apply: async ({ replayId, fingerprint }, reason = 'The webhook was lost.') => {
      const body = { fingerprint, reason };
      const answer = await scene().support.send('POST', replayRoutes.apply(replayId), body);
      expect([answer.status, answer.body['code']]).toEqual([200, undefined]);
      return ReplayOutcome.parse(answer.body);
    },
  };
};
