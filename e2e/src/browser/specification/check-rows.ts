import { expect } from '@jest/globals';
import { messageOf } from '@tapedeck/kernel';
import { rows, type Area, type RowOf } from './rows.ts';

/** A check for each row: they are made one after the other, in the order of the table. */
export type Checks<A extends Area> = Readonly<Record<RowOf<A>, () => Promise<unknown>>>;

/** Fails for rows without a check too, and names all that do not hold. */
export const checkRows = async <A extends Area>(area: A, checks: Checks<A>): Promise<void> => {
  const wrong: string[] = [];
  for (const row of rows[area] as readonly RowOf<A>[]) {
    // The types ask for every check; this holds without them too.
    const check: (() => Promise<unknown>) | undefined = checks[row];
    try {
      if (!check) throw new Error('There is no check for it.');
      await check();
    } catch (error) {
      wrong.push(`${row}: ${messageOf(error)}`);
    }
  }
  expect(wrong).toEqual([]);
};
