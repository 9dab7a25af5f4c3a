import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { accountId, newId } from '@tapedeck/kernel';
import { membershipRoutes } from '@tapedeck/membership/contract';
import { membershipStream } from '@tapedeck/membership/events';
import { buyAs, mailsTo, memberAt, supportAt, tierOf, type Answer, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
let support: Person;

const dayMs = 86_400_000;
const inDays = (days: number): string => new Date(product.clock.now() + days * dayMs).toISOString();

const idOf = async (person: Person): Promise<string> =>
  String((await person.get('/api/auth/user')).body['id']);

type Receiver = Readonly<{ email: string; member: Person; id: string }>;

const receiver = async (): Promise<Receiver> => {
  const email = `${newId().slice(-12)}@example.com`;
  const member = await memberAt(product, email);
  return { email, member, id: await idOf(member) };
};

const grant = (person: Person, id: string, until: string | null = null): Promise<Answer> =>
  person.send('POST', membershipRoutes.complimentary(id), { tier: 'Pro', until, reason: 'Wrote a guide.' });
const revoke = (person: Person, id: string): Promise<Answer> =>
  person.send('DELETE', membershipRoutes.complimentary(id), { reason: 'By mistake.' });

const expectTier = (member: Person, tier: string): Promise<void> =>
  eventually(async () => expect(await tierOf(member)).toBe(tier));

export const describeComplimentaryAccess = (running: () => PaymentsProduct): void => {
  describe('complimentary access', () => {
    beforeAll(async () => {
      product = running();
      support = await supportAt(product);
    });

    it('is given and taken away by support, whose name stands on the tape with the reason', async () => {
      const { member, id } = await receiver();
      expect((await grant(member, id)).status).toBe(403);
      const until = inDays(10);
      expect(await grant(support, id, until)).toMatchObject({ status: 201, body: { tier: 'Pro', until } });
      await expectTier(member, 'Pro complimentary');
      expect((await member.get(membershipRoutes.tier)).body).toMatchObject({
        complimentary: { tier: 'Pro', until },
      });
      expect((await revoke(support, id)).status).toBe(204);
      await expectTier(member, 'Free none');
      expect(await revoke(support, id)).toMatchObject({ status: 404, body: { code: 'GRANT_NOT_FOUND' } });

      const events = await product.product.store.readStream(membershipStream(accountId(id)));
      const supportId = await idOf(support);
      expect(events).toMatchObject([
        { data: { reason: 'Wrote a guide.' }, metadata: { actorId: supportId, actorKind: 'support' } },
        { data: { cause: 'revoked', reason: 'By mistake.' }, metadata: { actorId: supportId } },
      ]);
    });

    it('is refused for an account that does not exist, and with an end in the past', async () => {
      expect((await grant(support, newId())).body).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
      const { id } = await receiver();
      expect((await grant(support, id, inDays(-1))).body).toMatchObject({ code: 'GRANT_ENDS_IN_THE_PAST' });
    });

    it('ends when a subscription starts that includes it', async () => {
      const { member, id } = await receiver();
      await grant(support, id);
      await buyAs(member);
      await expectTier(member, 'Pro active');
      expect((await member.get(membershipRoutes.tier)).body).toMatchObject({ complimentary: null });
    });

    it('ends by itself, which the member learns by mail and reads in the history', async () => {
      const { email, id } = await receiver();
      await grant(support, id, inDays(3));
      await product.control('/clock', { seconds: 4 * 86_400 });
      await eventually(async () =>
        expect((await mailsTo(product, email)).map(({ subject }) => subject)).toEqual([
          'Your complimentary Pro access has ended',
        ]),
      );
      const member = await memberAt(product, email);
      await expectTier(member, 'Free none');
      expect((await member.get(membershipRoutes.history)).body).toMatchObject({
        entries: [{ text: 'Granted access has ended' }, { text: /^Pro granted by support until / }].map(
          ({ text }) => ({ text: expect.stringMatching(text) }),
        ),
      });
    });
  });
};
