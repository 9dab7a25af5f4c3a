import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import { memberAt, payAt, personAt, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;

const newEmail = (): string => `intro-${newId()}@example.com`;

type Begun = Readonly<{ url: string; session: () => Promise<Stripe.Checkout.Session> }>;

const begin = async (person: Person, path: string, body?: object): Promise<Begun> => {
  const answer = await person.send('POST', path, body);
  expect(answer.status).toBe(201);
  const url = String(answer.body['checkoutUrl']);
  const id = /cs_[A-Za-z0-9_]+/.exec(url)?.[0] ?? '';
  return { url, session: () => product.stripe.checkout.sessions.retrieve(id) };
};
const shown = async ({ session }: Begun): Promise<string> => {
  const { amount_total, status } = await session();
  return `${amount_total} ${status}`;
};

export const describeIntroPrice = (running: () => PaymentsProduct): void => {
  describe('the introductory price', () => {
    beforeAll(() => {
      product = running();
    });

    it('is that of the newest checkout of a member, and is paid once', async () => {
      const email = newEmail();
      const member = await memberAt(product, email);
      const first = await begin(member, '/api/create-pro-subscription');
      expect(await shown(first)).toBe('499 open');
      const second = await begin(member, '/api/create-pro-subscription');
      expect([await shown(first), await shown(second)]).toEqual(['499 expired', '499 open']);
      await payAt(second.url);
      await product.settled();
      const byMail = await begin(personAt(product), '/api/create-pro-subscription-anonymous', { email });
      expect(await shown(byMail)).toBe('999 open');
    });

    it('stays with the browser that has begun a purchase by e-mail when others type the same address', async () => {
      const email = newEmail();
      const path = '/api/create-pro-subscription-anonymous';
      const buyer = personAt(product);
      const first = await begin(buyer, path, { email });
      const other = await begin(personAt(product), path, { email });
      expect([await shown(first), await shown(other)]).toEqual(['499 open', '999 open']);
      const again = await begin(buyer, path, { email });
      expect([await shown(first), await shown(again)]).toEqual(['499 expired', '499 open']);
    });
  });
};
