import { describe, expect, it } from '@jest/globals';
import { isForgotten } from '@tapedeck/eventing';
import { eventually } from '@tapedeck/eventing/testing';
import { accountId, newId, type AccountId } from '@tapedeck/kernel';
import { runningPayments, type Purchase } from '../testing/running-payments.ts';
import { day } from '../testing/snapshots.ts';

const { store, forgottenCustomers, appendTo, register, buy, writesOf } = runningPayments();

/** By support. */
const handOver = async ({ intentId, send }: Purchase): Promise<AccountId> => {
  const toAccountId = accountId(newId());
  await register(toAccountId, `${toAccountId}@example.com`);
  await send({
    type: 'TransferPurchase',
    toAccountId,
    intentId,
    fromEmailHash: 'h',
    proof: 'support',
    hasOtherSubscription: false,
    now: day('01-07'),
  });
  return toAccountId;
};
const forget = (account: AccountId): Promise<void> =>
  appendTo(account, 'AccountForgotten', { accountId: account });

describe('an account that is deleted', () => {
  it('leaves the customer of another account that pays', async () => {
    const payer = accountId(newId());
    const purchase = await buy(payer);
    const customer = `cus_${purchase.intentId}`;
    await forget(await handOver(purchase));
    await eventually(async () => {
      expect(await writesOf(purchase)).toEqual([{ kind: 'end-now', cause: 'account-closed' }]);
      // The customer comes before the keys.
      const [observed] = await store().readStream(purchase.stream);
      expect(isForgotten(observed?.data['card'])).toBe(true);
    });
    expect(forgottenCustomers).not.toContain(customer);
    await forget(payer);
    await eventually(() => expect(forgottenCustomers).toContain(customer));
  });

  it('pays nothing more for another one, which keeps what is paid', async () => {
    const payer = accountId(newId());
    const purchase = await buy(payer);
    await handOver(purchase);
    await forget(payer);
    await eventually(async () =>
      expect(await writesOf(purchase)).toEqual([{ kind: 'cancel', reason: null }]),
    );
    await eventually(() => expect(forgottenCustomers).toContain(`cus_${purchase.intentId}`));
  });
});
