import { invalid, missing } from '../engine/failure.ts';
import type { OwnedKind, Rows } from '../engine/tables.ts';
import type { Tx } from '../engine/transaction.ts';
import type { List } from '../engine/objects.ts';
import { integerOf, isRecord, textOf, type Form } from './form.ts';

export const pageParameters = ['limit', 'starting_after', 'ending_before'] as const;

const limitOf = (form: Form): number => {
  const limit = integerOf(form, 'limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw invalid('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer');
  return limit;
};

/** One page of rows that are given newest first, between the cursors. */
export const page = <T extends { readonly id: string }>(
  rows: readonly T[],
  form: Form,
  url: string,
): List<T> => {
  const limit = limitOf(form);
  const after = textOf(form, 'starting_after');
  const before = textOf(form, 'ending_before');
  if (after !== undefined && before !== undefined)
    throw invalid('You may only specify one of these parameters: starting_after, ending_before.');
  const cursor = after ?? before;
  const at = cursor === undefined ? -1 : rows.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at === -1)
    throw missing('object', cursor, after === undefined ? 'ending_before' : 'starting_after');
  const start = before === undefined ? at + 1 : Math.max(0, at - limit);
  const end = before === undefined ? start + limit : at;
  const hasMore = before === undefined ? rows.length > end : start > 0;
  return { object: 'list', data: rows.slice(start, end), has_more: hasMore, url };
};

/** A filter such as `created[gte]=…` or `created=…`. */
export const rangeFilter = (form: Form, name: string): ((value: number) => boolean) => {
  const range = form[name];
  if (range === undefined) return () => true;
  if (!isRecord(range)) {
    const exact = integerOf(form, name);
    return (value) => value === exact;
  }
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).map((bound) => integerOf(range, bound));
  const [gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity] = bounds;
  return (value) => value > gt && value >= gte && value < lt && value <= lte;
};

/** The rows of the owner that a parameter names; all rows without it. */
export const rowsOf = <K extends OwnedKind>(tx: Tx, kind: K, owner: string | undefined): readonly Rows[K][] =>
  owner === undefined ? tx.all(kind) : tx.related(kind, owner);

/** Keeps the rows whose field has the value of the parameter of the same name. */
export const equals =
  <T extends object>(form: Form, ...names: readonly (keyof T & string)[]): ((row: T) => boolean) =>
  (row) =>
    names.every((name) => {
      const wanted = textOf(form, name);
      return wanted === undefined || row[name] === wanted;
    });
