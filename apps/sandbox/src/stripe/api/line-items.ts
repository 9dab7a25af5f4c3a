import { discounted, discountOf, periodLine } from '../engine/invoice-lines.ts';
import type { LineItem, List } from '../engine/objects.ts';
import type { SessionPlan } from '../engine/tables.ts';
import type { Tx } from '../engine/transaction.ts';

export type CheckoutAmounts = Readonly<{ subtotal: number; discount: number; total: number }>;

/** What the buyer pays today. */
export const checkoutAmounts = (tx: Tx, plan: Omit<SessionPlan, 'id'>): CheckoutAmounts => {
  if (plan.trialEnd !== null) return { subtotal: 0, discount: 0, total: 0 };
  const price = tx.require('price', plan.price);
  const origin = { subscription: '', item: '', quantity: plan.quantity };
  const line = periodLine(tx, origin, price, { start: tx.now, end: tx.now });
  const [after = line] =
    plan.coupon === null ? [line] : discounted([line], tx.require('coupon', plan.coupon), 'di');
  const discount = discountOf(after);
  return { subtotal: line.amount, discount, total: line.amount - discount };
};

export const lineItemsOf = (tx: Tx, sessionId: string): List<LineItem> => {
  const plan = tx.require('session_plan', sessionId);
  const price = tx.require('price', plan.price);
  const { subtotal, discount, total } = checkoutAmounts(tx, plan);
  return {
    object: 'list',
    data: [
      {
        id: `li_${sessionId.slice(-20)}`,
        object: 'item',
        adjustable_quantity: null,
        amount_discount: discount,
        amount_subtotal: subtotal,
        amount_tax: 0,
        amount_total: total,
        currency: price.currency,
        description: tx.require('product', price.product).name,
        metadata: {},
        price,
        quantity: plan.quantity,
      },
    ],
    has_more: false,
    url: `/v1/checkout/sessions/${sessionId}/line_items`,
  };
};
