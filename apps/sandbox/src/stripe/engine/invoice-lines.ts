import { unusedPart, type Span } from './proration.ts';
import type { Coupon, InvoiceLine, Price } from './objects.ts';
import type { Debit } from './tables.ts';
import type { Tx } from './transaction.ts';

export type LineOrigin = Readonly<{ subscription: string; item: string; quantity: number }>;

const intervalName = ({ recurring }: Price): string =>
  recurring.interval_count === 1 ? recurring.interval : `${recurring.interval_count} ${recurring.interval}s`;

const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`;

const productName = (tx: Tx, price: Price): string => {
  const { name } = tx.require('product', price.product);
  return price.recurring.interval === 'year' ? `${name} (annual)` : name;
};

const dayOf = (seconds: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(seconds * 1_000);

type LineParts = Readonly<{
  amount: number;
  description: string;
  price: Price;
  span: Span;
  proration: boolean;
  credited: Readonly<{ invoice: string; invoice_line_items: string[] }> | null;
}>;

const line = (tx: Tx, origin: LineOrigin, parts: LineParts): InvoiceLine => ({
  id: tx.newId('il'),
  object: 'line_item',
  amount: parts.amount,
  currency: parts.price.currency,
  description: parts.description,
  discount_amounts: [],
  discountable: !parts.proration,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: {},
  parent: {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: parts.proration,
      proration_details: parts.proration ? { credited_items: parts.credited } : null,
      subscription: origin.subscription,
      subscription_item: origin.item,
    },
    type: 'subscription_item_details',
  },
  period: parts.span,
  pretax_credit_amounts: [],
  pricing: {
    type: 'price_details',
    unit_amount_decimal: parts.price.unit_amount_decimal,
    price_details: { price: parts.price.id, product: parts.price.product },
  },
  quantity: origin.quantity,
  quantity_decimal: String(origin.quantity),
  subscription: origin.subscription,
  subtotal: parts.amount,
  taxes: [],
});

/** A whole period at its price. */
export const periodLine = (tx: Tx, origin: LineOrigin, price: Price, span: Span): InvoiceLine =>
  line(tx, origin, {
    amount: price.unit_amount * origin.quantity,
    description: `${origin.quantity} × ${productName(tx, price)} (at ${money(price.unit_amount)} / ${intervalName(price)})`,
    price,
    span,
    proration: false,
    credited: null,
  });

export const trialLine = (tx: Tx, origin: LineOrigin, price: Price, span: Span): InvoiceLine => ({
  ...line(tx, origin, {
    amount: 0,
    description: `Trial period for ${productName(tx, price)}`,
    price,
    span,
    proration: false,
    credited: null,
  }),
  discountable: false,
});

/** What was charged for time after `time` is returned, as it was charged: less its discount. */
export const creditLines = (
  tx: Tx,
  origin: LineOrigin,
  debits: readonly Debit[],
  time: number,
): readonly InvoiceLine[] =>
  debits.flatMap((debit) => {
    const amount = unusedPart(debit.amount, debit, time);
    if (amount === 0) return [];
    const price = tx.require('price', debit.price);
    return [
      line(tx, origin, {
        amount: -amount,
        description: `Unused time on ${productName(tx, price)} after ${dayOf(time)}`,
        price,
        span: { start: Math.max(time, debit.start), end: debit.end },
        proration: true,
        credited: { invoice: debit.invoice, invoice_line_items: [debit.line] },
      }),
    ];
  });

/** The part of a period that begins at `time`. */
export const remainingLine = (
  tx: Tx,
  origin: LineOrigin,
  price: Price,
  period: Span,
  time: number,
): InvoiceLine =>
  line(tx, origin, {
    amount: unusedPart(price.unit_amount * origin.quantity, period, time),
    description: `Remaining time on ${productName(tx, price)} after ${dayOf(time)}`,
    price,
    span: { start: time, end: period.end },
    proration: true,
    credited: null,
  });

/** Takes the coupon off the lines that it applies to, in their order, never below zero. */
export const discounted = (
  lines: readonly InvoiceLine[],
  coupon: Coupon,
  discount: string,
): readonly InvoiceLine[] => {
  let left = coupon.amount_off ?? Number.MAX_SAFE_INTEGER;
  return lines.map((each) => {
    const { product } = each.pricing.price_details;
    const applies = coupon.applies_to === undefined || coupon.applies_to.products.includes(product);
    if (!applies || !each.discountable || each.amount <= 0) return each;
    const wanted = coupon.percent_off === null ? left : Math.round((each.amount * coupon.percent_off) / 100);
    const amount = Math.min(each.amount, wanted, left);
    left -= amount;
    return { ...each, discount_amounts: [{ amount, discount }], discounts: [discount] };
  });
};

export const discountOf = ({ discount_amounts: amounts }: InvoiceLine): number =>
  (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
