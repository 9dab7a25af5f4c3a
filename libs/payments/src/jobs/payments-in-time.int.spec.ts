import { describe, expect, it } from '@jest/globals';
import { isForgotten } from '@tapedeck/eventing';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { accountId, newId } from '@tapedeck/kernel';
import { checkoutStream } from '../domain/checkout.ts';
import { runningPayments, type Purchase } from '../testing/running-payments.ts';
import { day, failure, paidInvoice } from '../testing/snapshots.ts';

const { pool, store, setTo, mails, forgottenCustomers, appendTo, buy, writesOf } = runningPayments();

const subjectsTo = (email: string): readonly string[] =>
  mails.filter(({ to }) => to === email).map(({ subject }) => subject);

const kindsIn = async (streams: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await pool().query<{ kind: string }>(
    'select kind from payment_due where stream = any($1) order by kind',
    [streams],
  );
  return rows.map(({ kind }) => kind);
};

const dueKinds = ({ stream, intentId }: Purchase): Promise<readonly string[]> =>
  kindsIn([stream, checkoutStream(intentId)]);

describe('an unclaimed purchase', () => {
  it('is announced, reminded of on days 1, 3 and 7, and refunded on day 30', async () => {
    const purchase = await buy(null);
    const { email } = purchase;
    const expected = ['Your purchase of Tapedeck Pro (monthly)'];
    await eventually(() => expect(subjectsTo(email)).toEqual(expected));
    for (const date of ['01-02', '01-04', '01-08']) {
      setTo(day(date));
      expected.push('Claim your purchase of Tapedeck Pro (monthly)');
      await eventually(() => expect(subjectsTo(email)).toEqual(expected));
    }
    setTo(day('01-31'));
    await eventually(async () =>
      expect(await writesOf(purchase)).toEqual([
        { kind: 'refund', invoiceId: 'in_1', cause: 'unclaimed' },
        { kind: 'end-now', cause: 'unclaimed' },
      ]),
    );
    await eventually(async () => expect(await dueKinds(purchase)).toEqual(['card']));
    const types = (await store().readStream(checkoutStream(purchase.intentId))).map(({ type }) => type);
    expect(types).toEqual(['CheckoutStarted', 'CheckoutExpired']);
    expected.push('We are refunding your payment');
    await eventually(() => expect(subjectsTo(email)).toEqual(expected));
    expect(new Set(mails.map(({ id }) => id)).size).toBe(mails.length);
  });
});

describe('a purchase that becomes known late', () => {
  it('is announced, and not reminded of for days that had passed', async () => {
    setTo(day('01-31'));
    const payments = [paidInvoice('in_1', [day('01-21'), day('02-21')])];
    const purchase = await buy(null, { payments });
    await eventually(async () => expect(await dueKinds(purchase)).toEqual(['card', 'expiry', 'refund']));
    // When the mail of a later purchase was sent, all mails before it were.
    const later = await buy(null, { payments });
    await eventually(() => expect(subjectsTo(later.email)).toHaveLength(1));
    expect(subjectsTo(purchase.email)).toEqual(['Your purchase of Tapedeck Pro (monthly)']);
  });
});

/** Every event so far was handled, and every mail about it sent. */
const allMailsSent = (): Promise<void> =>
  eventually(async () => {
    const head = await store().head();
    const { rows } = await pool().query<{ position: string }>(
      `select position from projection_checkpoints where projection = 'payment-mails'`,
    );
    expect(rows.map(({ position }) => BigInt(position) >= head)).toEqual([true]);
    expect(await pendingEvents(pool())).toEqual([]);
  });

describe('an owner', () => {
  it('gets one mail at the present address when a renewal fails, however often it is tried', async () => {
    const account = accountId(newId());
    const email = `${account}@example.com`;
    const { email: before, read } = await buy(account);
    await appendTo(account, 'EmailChanged', { accountId: account, email, emailVerified: true });
    const failures = [failure('in_2', 1, day('02-03'))];
    await read('past_due', { observedAt: day('02-01') }, { failures });
    await read('past_due', { observedAt: day('02-03') }, { failures: [failure('in_2', 2, null)] });
    await read('active', { observedAt: day('02-04') });
    await allMailsSent();
    expect([...subjectsTo(before), ...subjectsTo(email)]).toEqual([
      'Your receipt for Tapedeck Pro (monthly)',
      'Your payment has failed',
    ]);
    expect(subjectsTo(email)).toContain('Your payment has failed');
  });

  const receipt = 'Your receipt for Tapedeck Pro (annual)';
  const byYear = { plan: { tier: 'Pro', period: 'annual' }, amount: 7_499, periodEnd: day('12-01') } as const;
  const yearOf = (invoiceId: string) =>
    paidInvoice(invoiceId, [day('01-01'), day('12-01')], {
      plan: byYear.plan,
      reason: 'subscription_create',
    });

  it('is reminded of a renewal by the year 30 and 7 days before, once each', async () => {
    const purchase = await buy(accountId(newId()), { payments: [yearOf('in_1')] }, byYear);
    const { email } = purchase;
    await eventually(async () =>
      expect(await kindsIn([purchase.stream])).toEqual(['card', 'renewal 30 in_1', 'renewal 7 in_1']),
    );
    const notice = 'Tapedeck Pro (annual) renews on Dec 1, 2026';
    setTo('2026-11-01T00:00:00.000Z');
    await eventually(() => expect(subjectsTo(email)).toEqual([receipt, notice]));
    // Another payment for the same year does not repeat what was said.
    await purchase.read(
      'active',
      { ...byYear, observedAt: '2026-11-02T00:00:00.000Z' },
      {
        payments: [yearOf('in_1'), { ...yearOf('in_2'), paidAt: day('01-02') }],
      },
    );
    setTo('2026-11-24T00:00:00.000Z');
    await eventually(() => expect(subjectsTo(email).at(-1)).toBe(notice));
    await eventually(async () => expect(await kindsIn([purchase.stream])).toEqual(['card']));
    await allMailsSent();
    expect(subjectsTo(email)).toEqual([receipt, notice, receipt, notice]);
  });

  it('is not reminded of a renewal that was cancelled, nor of one whose day has passed', async () => {
    setTo('2026-11-24T00:00:00.000Z');
    const payments = [yearOf('in_1')];
    const cancelled = await buy(accountId(newId()), { payments }, { ...byYear, cancelAtPeriodEnd: true });
    await eventually(async () => expect(await kindsIn([cancelled.stream])).toEqual(['card']));
    setTo('2026-12-01T00:00:00.000Z');
    const late = await buy(accountId(newId()), { payments }, byYear);
    await eventually(async () => expect(await kindsIn([late.stream])).toEqual(['card']));
    await allMailsSent();
    expect([cancelled, late].map(({ email }) => subjectsTo(email))).toEqual([[receipt], [receipt]]);
  });

  it('is reminded once of a card whose last month has begun, unless it was replaced', async () => {
    const card = { brand: 'visa', last4: '4242', expMonth: 2, expYear: 2027 };
    const [first, second] = [
      await buy(accountId(newId()), {}, { card }),
      await buy(accountId(newId()), {}, { card }),
    ];
    const newer = { ...card, last4: '1881', expYear: 2031 };
    await second.read('active', { card: newer, observedAt: '2026-12-20T00:00:00.000Z' });
    setTo('2027-02-01T00:00:00.000Z');
    await eventually(() =>
      expect(subjectsTo(first.email)).toEqual([
        'Your receipt for Tapedeck Pro (monthly)',
        'Your card expires at the end of this month',
      ]),
    );
    await eventually(async () => expect(await kindsIn([first.stream])).toEqual([]));
    await first.read('active', {
      card,
      periodEnd: '2027-03-01T00:00:00.000Z',
      observedAt: '2027-02-02T00:00:00.000Z',
    });
    await allMailsSent();
    expect(await kindsIn([first.stream])).toEqual([]);
    expect(subjectsTo(first.email)).toHaveLength(2);
    expect(subjectsTo(second.email)).toEqual(['Your receipt for Tapedeck Pro (monthly)']);
  });

  it('who deletes the account pays nothing more, and is forgotten at Stripe and here', async () => {
    const account = accountId(newId());
    const purchase = await buy(account);
    const { stream, intentId } = purchase;
    await appendTo(account, 'AccountForgotten', { accountId: account });
    await eventually(async () =>
      expect(await writesOf(purchase)).toEqual([{ kind: 'end-now', cause: 'account-closed' }]),
    );
    await eventually(async () => {
      expect(forgottenCustomers).toEqual([`cus_${intentId}`]);
      const [observed] = await store().readStream(stream);
      expect(isForgotten(observed?.data['card'])).toBe(true);
    });
    await purchase.read('canceled', { observedAt: day('02-20'), endedAt: day('02-20') });
    const last = (await store().readStream(stream)).find(({ data }) => data['status'] === 'canceled');
    expect(last?.data['card']).toBeNull();
  });
});
