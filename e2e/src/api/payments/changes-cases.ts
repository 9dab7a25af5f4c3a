import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { changesReady, platformRoutes } from '@tapedeck/platform/contract';
import { buyAs, memberAt, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;

type OpenStream = Readonly<{ received: () => string; topics: () => readonly string[]; over: Promise<void> }>;

const openChanges = async ({ browser }: Person): Promise<OpenStream> => {
  const response = await browser.request(`${product.url}${platformRoutes.changes}`);
  let text = '';
  const read = async (): Promise<void> => {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  };
  const over = read();
  await eventually(() => expect(text).toContain(`event: ${changesReady}\n`));
  return {
    received: () => text,
    topics: () => [...text.matchAll(/"topic":"(\w+)"/g)].map(([, topic = '']) => topic),
    over,
  };
};

export const describeChanges = (running: () => PaymentsProduct): void => {
  describe('the stream of changes of a member', () => {
    beforeAll(() => {
      product = running();
    });

    it('reports a purchase to the buyer alone, and nothing more after the sign-out', async () => {
      const buyer = await memberAt(product, 'changes-buyer@example.com');
      const other = await memberAt(product, 'changes-other@example.com');
      const [own, others] = [await openChanges(buyer), await openChanges(other)];
      const sessionId = await buyAs(buyer);
      await product.settled();
      await eventually(() =>
        expect(own.topics()).toEqual(expect.arrayContaining(['membership', 'billing', 'mails'])),
      );
      const again = await openChanges(buyer);

      const { subscription } = await product.stripe.checkout.sessions.retrieve(sessionId);
      await product.stripe.subscriptions.update(String(subscription), { cancel_at_period_end: true });
      await product.settled();
      await eventually(() => expect(again.topics()).toContain('billing'));

      expect((await buyer.send('POST', '/api/logout')).status).toBeLessThan(400);
      const before = [own, again].map(({ received }) => received());
      await product.stripe.subscriptions.update(String(subscription), { cancel_at_period_end: false });
      await product.settled();
      await Promise.all([own.over, again.over]);
      expect([own, again].map(({ received }) => received())).toEqual(before);
      expect(others.topics().filter((topic) => topic !== 'catalogue')).toEqual([]);
    }, 60_000);
  });
};
