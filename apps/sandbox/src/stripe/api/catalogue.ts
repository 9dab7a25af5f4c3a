import { couponOf, priceOf, productOf } from '../engine/catalogue.ts';
import { invalid } from '../engine/failure.ts';
import type { Coupon, Price, Product } from '../engine/objects.ts';
import type { Tx } from '../engine/transaction.ts';
import {
  choiceOf,
  clearable,
  flagOf,
  integerOf,
  mergedMetadata,
  recordOf,
  requiredText,
  textOf,
  textsOf,
  type Form,
} from './form.ts';
import { equals, page, pageParameters } from './lists.ts';
import type { Route } from './route.ts';

const changeable = ['active', 'lookup_key', 'transfer_lookup_key', 'metadata', 'nickname'];

/** A lookup key belongs to one price: another one that has it must hand it over. */
const lookupKeyOf = (tx: Tx, form: Form, priceId: string): string | null | undefined => {
  const key = clearable(form, 'lookup_key');
  const holder = tx.all('price').find(({ id, lookup_key: known }) => id !== priceId && known === key);
  if (typeof key !== 'string' || !holder) return key;
  if (flagOf(form, 'transfer_lookup_key') !== true)
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
  tx.put('price', { ...holder, lookup_key: null });
  return key;
};

const changed = (tx: Tx, form: Form, price: Price): Price => {
  const key = lookupKeyOf(tx, form, price.id);
  const nickname = clearable(form, 'nickname');
  const after: Price = {
    ...price,
    active: flagOf(form, 'active') ?? price.active,
    metadata: mergedMetadata(form, price.metadata),
    ...(key === undefined ? {} : { lookup_key: key }),
    ...(nickname === undefined ? {} : { nickname }),
  };
  tx.put('price', after);
  return after;
};

const createPrice = (tx: Tx, form: Form): Price => {
  const product = requiredText(form, 'product');
  tx.require('product', product, 'product');
  const interval = choiceOf(recordOf(form, 'recurring') ?? {}, 'interval', ['month', 'year']);
  if (interval === undefined) throw invalid('The sandbox has recurring prices only.', 'recurring[interval]');
  const made = priceOf({
    id: tx.newId('price'),
    product,
    unitAmount: integerOf(form, 'unit_amount') ?? 0,
    currency: requiredText(form, 'currency'),
    interval,
    created: tx.now,
  });
  const taxed = choiceOf(form, 'tax_behavior', ['exclusive', 'inclusive', 'unspecified']);
  const after = changed(tx, form, { ...made, tax_behavior: taxed ?? made.tax_behavior });
  tx.emit('price.created', after);
  return after;
};

/** The amount of a price never changes. */
const updatePrice = (tx: Tx, form: Form, id: string): Price => {
  const before = tx.require('price', id);
  const after = changed(tx, form, before);
  tx.emit('price.updated', after, before);
  return after;
};

const createProduct = (tx: Tx, form: Form): Product => {
  const name = requiredText(form, 'name');
  const product = { ...productOf(tx.newId('prod'), name, tx.now), metadata: mergedMetadata(form) };
  tx.put('product', product);
  tx.emit('product.created', product);
  return product;
};

const createCoupon = (tx: Tx, form: Form): Coupon => {
  const duration = choiceOf(form, 'duration', ['once', 'forever']) ?? 'once';
  const percentOff = integerOf(form, 'percent_off');
  if (percentOff === undefined) throw invalid('The sandbox makes coupons of a percentage.', 'percent_off');
  const id = textOf(form, 'id') ?? tx.newId('co');
  const name = textOf(form, 'name') ?? null;
  const made = { id, name, duration, amount_off: null, percent_off: percentOff, created: tx.now };
  const coupon = couponOf(made);
  tx.put('coupon', coupon);
  tx.emit('coupon.created', coupon);
  return coupon;
};

export const catalogueRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/products',
    accepts: [...pageParameters, 'active'],
    run: ({ tx, form }) => page<Product>(tx.all('product'), form, '/v1/products'),
  },
  {
    method: 'POST',
    path: '/v1/products',
    accepts: ['name', 'metadata'],
    run: ({ tx, form }) => createProduct(tx, form),
  },
  { method: 'GET', path: '/v1/products/:id', accepts: [], run: ({ tx, id }) => tx.require('product', id) },
  {
    method: 'GET',
    path: '/v1/prices',
    accepts: [...pageParameters, 'active', 'product', 'lookup_keys', 'type'],
    run: ({ tx, form }) => {
      const keys = textsOf(form, 'lookup_keys');
      const rows = tx
        .all('price')
        .filter(equals<Price>(form, 'product'))
        .filter(({ lookup_key: key }) => keys.length === 0 || (key !== null && keys.includes(key)));
      return page(rows, form, '/v1/prices');
    },
  },
  { method: 'GET', path: '/v1/prices/:id', accepts: [], run: ({ tx, id }) => tx.require('price', id) },
  {
    method: 'POST',
    path: '/v1/prices',
    accepts: ['currency', 'unit_amount', 'product', 'recurring', 'tax_behavior', ...changeable],
    run: ({ tx, form }) => createPrice(tx, form),
  },
  {
    method: 'POST',
    path: '/v1/prices/:id',
    accepts: changeable,
    run: ({ tx, form, id }) => updatePrice(tx, form, id),
  },
  {
    method: 'GET',
    path: '/v1/coupons',
    accepts: [...pageParameters],
    run: ({ tx, form }) => page(tx.all('coupon'), form, '/v1/coupons'),
  },
  {
    method: 'POST',
    path: '/v1/coupons',
    accepts: ['id', 'name', 'duration', 'percent_off'],
    run: ({ tx, form }) => createCoupon(tx, form),
  },
  { method: 'GET', path: '/v1/coupons/:id', accepts: [], run: ({ tx, id }) => tx.require('coupon', id) },
  {
    method: 'DELETE',
    path: '/v1/coupons/:id',
    accepts: [],
    run: ({ tx, id }) => {
      const coupon = tx.require('coupon', id);
      tx.remove('coupon', id);
      return { id: coupon.id, object: 'coupon', deleted: true };
    },
  },
];
