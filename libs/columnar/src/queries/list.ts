import type { RequestOptions, SearchFilter, SearchHit, SearchPage } from '@tapedeck/search-engine/port';
import type { Columns } from '../snapshot/columns.ts';
import { readHit } from '../snapshot/hits.ts';
import { candidatesOf } from './candidates.ts';
import { pageSlots } from './page.ts';
import { countMatches } from './ranges.ts';
import type { Scheduler } from './scheduler.ts';
import type { RunRequest, SnapshotView } from './snapshot-view.ts';

const rowsPerPiece = 500;
/** Rows that are read without checking the time. */
const rowsPerCheck = 20;

type ListQuery = Readonly<{ filter: SearchFilter; page: SearchPage }>;
type ListedSlots = Readonly<{ columns: Columns; slots: readonly number[] }>;

const findSlots = async (view: SnapshotView, { filter, page }: ListQuery): Promise<ListedSlots> => {
  const { scheduler, signal } = view;
  const candidates = await candidatesOf(view, filter);
  const matches = await countMatches(view, filter, candidates, {});
  if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  return {
    columns: view.snapshot.columns,
    slots: await pageSlots(view, matches, filter, page),
  };
};

/** Finds all slots in one request. As a slot never changes, the rows are read while the caller takes them. */
export const listRows = async function* (
  run: RunRequest,
  scheduler: Scheduler,
  query: ListQuery,
  options: RequestOptions,
): AsyncGenerator<readonly SearchHit[], void, void> {
  const { columns, slots } = await run((view) => findSlots(view, query), options);
  for (let from = 0; from < slots.length; from += rowsPerPiece) {
    const rows: SearchHit[] = [];
    for (const slot of slots.slice(from, from + rowsPerPiece)) {
      rows.push(readHit(columns, slot));
      if (rows.length % rowsPerCheck === 0 && scheduler.shouldYield())
        await scheduler.yieldToEventLoop(options.signal);
    }
    options.signal?.throwIfAborted();
    yield rows;
  }
};
