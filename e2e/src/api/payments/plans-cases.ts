import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { paidPlans, planOf, priceOf } from '@tapedeck/plans/contract';
import { buyAs, memberAt, personAt, tierOf } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;

export const describePlans = (running: () => PaymentsProduct): void => {
  beforeAll(() => {
    product = running();
  });

  describe.each(paidPlans)('the plan $tier, $period,', (plan) => {
    it('can be bought, and gives its tier and features', async () => {
      const member = await memberAt(product, `${newId().slice(-12)}@example.com`);
      await buyAs(member, plan.tier.toLowerCase(), { period: plan.period });
      await product.settled();
      await eventually(async () => expect(await tierOf(member)).toBe(`${plan.tier} active`));
      const { body } = await member.get('/api/member/tier');
      expect(body).toMatchObject({
        period: plan.period,
        features: expect.arrayContaining([...planOf(plan.tier).features]),
      });
    });

    it('is offered to browsers with the amount that is charged', async () => {
      const { body } = await personAt(product).get('/api/config');
      const { amount } = priceOf(plan);
      expect(body['plans']).toContainEqual(expect.objectContaining({ ...plan, amount }));
    });
  });
};

/** Under the entitlements in force. */
export const describeFreeFeatures = (running: () => PaymentsProduct, expected: readonly string[]): void => {
  it('the client configuration says what members without a plan may use', async () => {
    const { body } = await personAt(running()).get('/api/config');
    const member = await memberAt(running(), `${newId().slice(-12)}@example.com`);
    const { features } = (await member.get('/api/member/tier')).body;
    expect(body['freeFeatures']).toEqual(features);
    expect(features).toEqual(expected);
  });
};
