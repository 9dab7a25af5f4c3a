import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { buyAs, buyByEmail, memberAt, personAt, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

type Body = Readonly<Record<string, unknown>>;

/** Sends a change; returns the position that later reads have to contain. */
const change = async ({ browser }: Person, path: string, body: object): Promise<string> => {
  const answer = await browser.request(`${product.url}${path}`, {
    method: 'POST',
    headers: { origin: product.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(`${answer.status} ${await answer.text()}`).toMatch(/^20[01] /);
  return answer.headers.get('tape-position') ?? '';
};

/** An answer that is not marked as stale: on a busy machine the server may have to be asked again. */
const readAfter = async ({ browser }: Person, path: string, position: string): Promise<Body> => {
  let body: Body = {};
  await eventually(async () => {
    const answer = await browser.request(`${product.url}${path}`, { headers: { 'tape-position': position } });
    body = (await answer.json()) as Body;
    expect([answer.status, answer.headers.get('tape-stale')]).toEqual([200, null]);
  });
  return body;
};

/** What the three parts of My Account say, all asked at once. */
const screenAfter = async (member: Person, position: string) => {
  const [tier, billing, history] = await Promise.all([
    readAfter(member, '/api/member/tier', position),
    readAfter(member, '/api/membership/billing', position),
    readAfter(member, '/api/member/history', position),
  ]);
  const entries = history['entries'] as readonly Readonly<{ text: string }>[];
  return { tier, subscription: billing['subscription'], texts: entries.map(({ text }) => text) };
};

const newEmail = (): string => `after-${newId()}@example.com`;

describe('what is read after a change', () => {
  it('has the tier, the plan and the history of an upgrade, then the end of a cancellation', async () => {
    const member = await memberAt(product, newEmail());
    await buyAs(member);
    await product.settled();

    const upgraded = await screenAfter(
      member,
      await change(member, '/api/membership/change', { tier: 'Elite', period: 'monthly' }),
    );
    expect(upgraded).toMatchObject({
      tier: { tier: 'Elite', status: 'active' },
      subscription: { tier: 'Elite', processing: null },
    });
    expect(upgraded.texts).toContain('Changed from Pro (monthly) to Elite (monthly)');

    const cancelled = await screenAfter(member, await change(member, '/api/cancel-subscription', {}));
    const { endsAt } = cancelled.tier;
    expect(endsAt).toEqual(expect.any(String));
    expect(cancelled.subscription).toMatchObject({ endsAt });
    expect(cancelled.texts).toContainEqual(expect.stringMatching(/^Cancelled: access ends on /));
  }, 60_000);

  it('has the membership of a purchase that was claimed', async () => {
    const email = newEmail();
    const sessionId = await buyByEmail(personAt(product), email);
    await product.settled();
    const member = await memberAt(product, email);
    const position = await change(member, '/api/link-payment', { sessionId });
    const claimed = await screenAfter(member, position);
    expect(claimed).toMatchObject({
      tier: { tier: 'Pro', status: 'active' },
      subscription: { tier: 'Pro' },
    });
    expect(claimed.texts).toContainEqual(expect.stringMatching(/^Pro \(monthly\) started, paid until /));
  }, 60_000);
});
