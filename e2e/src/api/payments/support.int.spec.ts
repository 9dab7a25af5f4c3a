import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeComplimentaryAccess } from './complimentary-cases.ts';
import { describeMemberAudit } from './member-audit-cases.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import { describeFreeFeatures } from './plans-cases.ts';
import { describeQueues } from './queue-cases.ts';

describe('support', () => {
  let product: PaymentsProduct;
  const running = (): PaymentsProduct => product;

  beforeAll(async () => {
    product = await startPaymentsProduct();
  }, 120_000);
  afterAll(() => product.close());

  describeFreeFeatures(running, ['explorer', 'sourceCode', 'favourites']);
  describeQueues(running);
  describeMemberAudit(running);
  describeComplimentaryAccess(running);
});
