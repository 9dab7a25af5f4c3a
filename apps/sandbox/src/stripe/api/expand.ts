import { invalid } from '../engine/failure.ts';
import type { Kind } from '../engine/tables.ts';
import type { Tx } from '../engine/transaction.ts';
import { lineItemsOf } from './line-items.ts';
import { textsOf, type Form } from './form.ts';

const kinds: readonly (readonly [prefix: string, kind: Kind])[] = [
  ['sub_sched_', 'schedule'],
  ['cus_', 'customer'],
  ['sub_', 'subscription'],
  ['in_', 'invoice'],
  ['pi_', 'payment_intent'],
  ['ch_', 'charge'],
  ['pm_', 'payment_method'],
  ['prod_', 'product'],
  ['price_', 'price'],
  ['di_', 'discount'],
  ['re_', 'refund'],
];

const lookUp = (tx: Tx, field: string, id: string): object | undefined => {
  if (field === 'coupon') return tx.get('coupon', id);
  const kind = kinds.find(([prefix]) => id.startsWith(prefix))?.[1];
  return kind && tx.get(kind, id);
};

type Node = Readonly<Record<string, unknown>>;

const listed = (data: readonly object[], url: string): object => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

/** Fields that an object has only when they are asked for. */
const hiddenField = (tx: Tx, node: Node, field: string): object | undefined => {
  const id = String(node['id']);
  switch (`${String(node['object'])}.${field}`) {
    case 'invoice.payments':
      return listed(tx.related('invoice_payment', id), `/v1/invoice_payments?invoice=${id}`);
    case 'checkout.session.line_items':
      return lineItemsOf(tx, id);
    case 'charge.refunds':
      return listed(tx.related('refund', id), `/v1/charges/${id}/refunds`);
    case 'customer.subscriptions':
      return listed(
        tx.related('subscription', id).filter(({ status }) => status !== 'canceled'),
        `/v1/customers/${id}/subscriptions`,
      );
    default:
      return undefined;
  }
};

const expandAt = (tx: Tx, node: unknown, path: readonly string[], whole: string): unknown => {
  const [field, ...rest] = path;
  if (field === undefined || node === null) return node;
  if (Array.isArray(node)) return node.map((each: unknown) => expandAt(tx, each, path, whole));
  if (typeof node !== 'object') throw invalid(`This property cannot be expanded (${whole}).`, 'expand');
  const record = node as Node;
  if (record['deleted'] === true) return record;
  const value = record[field];
  const inner = (found: unknown): object => ({ ...record, [field]: expandAt(tx, found, rest, whole) });
  if (typeof value === 'string') {
    const found = lookUp(tx, field, value);
    if (!found) throw invalid(`This property cannot be expanded (${whole}).`, 'expand');
    return inner(found);
  }
  if (Array.isArray(value))
    return inner(
      value.map((each: unknown) => (typeof each === 'string' ? (lookUp(tx, field, each) ?? each) : each)),
    );
  if (value !== undefined) return inner(value);
  const hidden = hiddenField(tx, record, field);
  if (!hidden) throw invalid(`This property cannot be expanded (${whole}).`, 'expand');
  return inner(hidden);
};

/** Replaces ids by their objects, as `expand[]` asks for. */
export const expanded = (tx: Tx, object: object, form: Form): object =>
  textsOf(form, 'expand').reduce((node, path) => {
    const parts = path.split('.');
    if (parts.length > 6) throw invalid(`The path ${path} is too deep.`, 'expand');
    return expandAt(tx, node, parts, path) as object;
  }, object);
