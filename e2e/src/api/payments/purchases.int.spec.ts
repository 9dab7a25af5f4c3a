import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeAttacks } from './attack-cases.ts';
import { describeChanges } from './changes-cases.ts';
import { describeIntroPrice } from './intro-price-cases.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import { describeFreeFeatures, describePlans } from './plans-cases.ts';
import { describeRules } from './rule-cases.ts';

describe('customers', () => {
  let product: PaymentsProduct;
  const running = (): PaymentsProduct => product;

  beforeAll(async () => {
    product = await startPaymentsProduct({ ENTITLEMENTS: 'advertised' });
  }, 120_000);
  afterAll(() => product.close());

  describe('by the rules', () => {
    describeRules(running);
  });
  describe('with each plan', () => {
    describePlans(running);
    describeFreeFeatures(running, []);
  });
  describeIntroPrice(running);
  describeChanges(running);
  // The last of them moves the clock.
  describe('under attack', () => {
    describeAttacks(running);
  });
});
