import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import { buy, refusalOf, startStandIn, type TestStandIn } from './testing/stand-in.ts';

let standIn: TestStandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});

afterAll(async () => {
  await standIn.close();
  expect(standIn.errors).toEqual([]);
});

/** The charge of a new purchase for 9.99. */
const charged = async (): Promise<string> => {
  const { customer } = await buy(standIn);
  const { data } = await standIn.stripe.charges.list({ customer: String(customer) });
  await standIn.delivered();
  return data[0]?.id ?? '';
};

const chargeOf = (id: string): Promise<Stripe.Charge> => standIn.stripe.charges.retrieve(id);

describe('refunds', () => {
  it('return a part and then the rest, and never more', async () => {
    const charge = await charged();
    expect(await standIn.stripe.refunds.create({ charge, amount: 400 })).toMatchObject({
      status: 'succeeded',
      amount: 400,
    });
    const excessive = await refusalOf(standIn.stripe.refunds.create({ charge, amount: 600 }));
    expect(excessive).toMatchObject({ statusCode: 400, param: 'amount' });
    const { payment_intent: intent } = await chargeOf(charge);
    expect(await standIn.stripe.refunds.create({ payment_intent: String(intent) })).toMatchObject({
      amount: 599,
    });
    expect(await chargeOf(charge)).toMatchObject({ refunded: true, amount_refunded: 999 });
    expect((await refusalOf(standIn.stripe.refunds.create({ charge }))).code).toBe('charge_already_refunded');
    expect(await standIn.delivered()).toEqual([
      'charge.refunded',
      'refund.created',
      'charge.refunded',
      'refund.created',
    ]);
  });

  it('that fail later give the amount back to the charge', async () => {
    const charge = await charged();
    const refund = (await standIn.control('/refunds', { charge, outcome: 'fails_later' })) as Stripe.Refund;
    expect(refund.status).toBe('pending');
    await standIn.advanceDays(1);
    expect(await standIn.stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
    });
    expect(await chargeOf(charge)).toMatchObject({ refunded: false, amount_refunded: 0 });
    expect(await standIn.delivered()).toEqual([
      'charge.refunded',
      'refund.created',
      'refund.updated',
      'refund.failed',
      'charge.updated',
    ]);
  });
});

describe('disputes', () => {
  it.each([
    ['won', false, ['charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated']],
    ['lost', false, ['charge.dispute.funds_withdrawn']],
    ['warning_closed', true, []],
  ] as const)('that are %s move the money and say so', async (outcome, warning, moves) => {
    const charge = await charged();
    const dispute = (await standIn.control('/disputes', { charge, warning })) as Stripe.Dispute;
    expect((await standIn.stripe.disputes.list({ charge })).data).toMatchObject([
      { id: dispute.id, status: warning ? 'warning_needs_response' : 'needs_response' },
    ]);
    expect(await chargeOf(charge)).toMatchObject({ disputed: true });
    await standIn.control('/disputes/close', { id: dispute.id, outcome });
    expect(await standIn.stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: outcome });
    const types = await standIn.delivered();
    expect(types.filter((type) => type.includes('funds'))).toEqual(moves);
    expect(types).toContain('charge.dispute.closed');
  });
});
