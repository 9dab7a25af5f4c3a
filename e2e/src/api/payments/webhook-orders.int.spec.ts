import { afterAll, beforeAll, describe } from '@jest/globals';
import { propertyRuns } from '@tapedeck/eventing/testing';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import { describeWebhookOrders } from './webhook-order-cases.ts';

describe('webhooks', () => {
  let product: PaymentsProduct;

  beforeAll(async () => {
    product = await startPaymentsProduct();
  }, 120_000);
  afterAll(() => product.close());

  describeWebhookOrders(() => product, propertyRuns(21, 1));
});
