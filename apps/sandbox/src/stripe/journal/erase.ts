import type { Change, Kind, Tables } from '../engine/tables.ts';

const personalKeys: ReadonlySet<string> = new Set([
  'address',
  'business_name',
  'customer_address',
  'customer_email',
  'customer_name',
  'customer_phone',
  'email',
  'individual_name',
  'name',
  'phone',
  'receipt_email',
  'shipping',
  'tax_ids',
]);

const kindsWithPeople: readonly Kind[] = [
  'customer',
  'payment_method',
  'session',
  'invoice',
  'charge',
  'payment_intent',
  'event',
  'answer',
];

const withoutPerson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPerson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, personalKeys.has(key) ? null : withoutPerson(field)]),
  );
};

const isAddressKey = (key: string): boolean => key === 'email' || key.endsWith('_email');

/** Every address in a value, today's and former ones. */
const addressesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    isAddressKey(key) && typeof field === 'string' ? [field] : addressesIn(field),
  );
};

/**
 * The changes that remove a person from all rows about the customer, events and stored answers included. Checkout
 * sessions that never became a purchase name no customer: they are recognised by the address.
 */
export const erasureOf = (tables: Tables, customer: string): readonly Change[] => {
  const rows = kindsWithPeople.flatMap((kind) =>
    tables.all(kind).map((row) => ({ kind, row, text: JSON.stringify(row) })),
  );
  const own = rows.filter(({ text }) => text.includes(`"${customer}"`));
  const addresses = new Set(own.flatMap(({ row }) => addressesIn(row)));
  const abandoned = rows.filter(
    ({ text }) => !text.includes('"cus_') && [...addresses].some((address) => text.includes(`"${address}"`)),
  );
  return [...own, ...abandoned].map(
    ({ kind, row }) => [kind, row.id, withoutPerson(row)] as unknown as Change,
  );
};
