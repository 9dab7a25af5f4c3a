import type { EventStore } from '../event-store.ts';
import type { Personal, Sealed } from '../event-types.ts';

/** What is in a column with sealed values. */
type Unsealed<Value> = Value extends Sealed<infer Plain> ? Personal<Plain> : Value;

/** A row with the decrypted values of these columns. */
export type UnsealedRow<Row, Column extends keyof Row> = {
  readonly [Name in keyof Row]: Name extends Column ? Unsealed<Row[Name]> : Row[Name];
};

/**
 * Decrypts these columns of rows of a read model, in one round trip for keys that are not cached. A value is `forgotten`
 * once the account's key was deleted; null stays null.
 *
 * @example
 * const [row] = await unsealRows(store, rows, ['email']);
 * const email = readable(row.email, null);
 */
export const unsealRows = async <Row extends object, const Column extends keyof Row>(
  { unseal }: Pick<EventStore, 'unseal'>,
  rows: readonly Row[],
  columns: readonly Column[],
): Promise<readonly UnsealedRow<Row, Column>[]> => {
  // The cast is safe: the row's type says which columns are sealed.
  const sealed = rows.flatMap((row) => columns.map((column) => row[column] as Sealed | null));
  const values = (await unseal(sealed.filter((value) => value !== null)))[Symbol.iterator]();
  return rows.map((row) => {
    const opened = columns.map(
      (column) => [column, row[column] === null ? null : values.next().value] as const,
    );
    return { ...row, ...Object.fromEntries(opened) } as UnsealedRow<Row, Column>;
  });
};
