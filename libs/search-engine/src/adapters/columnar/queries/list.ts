import type { RequestOptions, SearchFilter, SearchHit, SearchPage } from '../../../search-port.ts';
import { refreshed } from './search.ts';
import { candidatesOf } from './candidates.ts';
import { readHit } from '../snapshot/hits.ts';
import type { Pace } from './scheduler.ts';
import { pageSlots } from './page.ts';
import type { CatalogueReader } from './reader.ts';
import type { Reading } from './snapshot-view.ts';
import type { Columns } from '../snapshot/columns.ts';

const rowsInAPiece = 500;
/** Rows that are read without a look at the clock. */
const rowsAtOnce = 20;

type ListQuery = Readonly<{ filter: SearchFilter; page: SearchPage }>;
type Listed = Readonly<{ columns: Columns; slots: readonly number[] }>;

const listed = async (reading: Reading, { filter, page }: ListQuery): Promise<Listed> => {
  const { pace, signal } = reading;
  const candidates = await candidatesOf(reading, filter);
  const found = await refreshed(reading, filter, candidates, {});
  if (pace.isDue()) await pace.rest(signal);
  return {
    columns: reading.snapshot.columns,
    slots: await pageSlots(reading, found, filter, page),
  };
};

/** Which rows is settled in one go; a slot never changes, so that they can be read whenever they are wanted. */
export const listedRows = async function* (
  { ask }: CatalogueReader,
  pace: Pace,
  query: ListQuery,
  options: RequestOptions,
): AsyncGenerator<readonly SearchHit[], void, void> {
  const { columns, slots } = await ask((reading) => listed(reading, query), options);
  for (let from = 0; from < slots.length; from += rowsInAPiece) {
    const rows: SearchHit[] = [];
    for (const slot of slots.slice(from, from + rowsInAPiece)) {
      rows.push(readHit(columns, slot));
      if (rows.length % rowsAtOnce === 0 && pace.isDue()) await pace.rest(options.signal);
    }
    options.signal?.throwIfAborted();
    yield rows;
  }
};
