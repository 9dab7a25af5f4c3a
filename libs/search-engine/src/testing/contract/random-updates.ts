import type { ExplorerRow, RowUpdate } from '../../search-port.ts';
import { randomRow, shuffled, type Random } from '../random-catalogue.ts';

const idOf = (update: RowUpdate): string => (update.op === 'put' ? update.row.urlId : update.urlId);
const versionOf = (update: RowUpdate): number => (update.op === 'put' ? update.row.version : update.version);

/**
 * Versions of these strategies, older and newer than the loaded rows, shuffled, some of them twice, in batches. A
 * version that is loaded has the same content when it comes again.
 */
export const randomUpdates = (
  random: Random,
  ids: readonly string[],
  rows: readonly ExplorerRow[],
): readonly (readonly RowUpdate[])[] => {
  const loaded = new Map(rows.map((row) => [row.urlId, row]));
  const updates = ids.flatMap((urlId) =>
    Array.from({ length: 1 + random.below(5) }, (_, at): RowUpdate => {
      const version = at + 1;
      const row = loaded.get(urlId);
      if (row?.version === version) return { op: 'put', row };
      if (at > 0 && random.chance(0.3)) return { op: 'remove', urlId, version };
      return { op: 'put', row: { ...randomRow(random, urlId), version } };
    }),
  );
  const delivered = shuffled(random, [...updates, ...updates.filter(() => random.chance(0.3))]);
  const batches: (readonly RowUpdate[])[] = [];
  for (let at = 0; at < delivered.length;) {
    const next = at + 1 + random.below(Math.ceil(delivered.length / 3));
    batches.push(delivered.slice(at, next));
    at = next;
  }
  return batches;
};

/** The rows after all updates: the highest version of each strategy. */
export const rowsAfter = (
  rows: readonly ExplorerRow[],
  updates: readonly RowUpdate[],
): readonly ExplorerRow[] => {
  const newest = new Map<string, RowUpdate>(rows.map((row) => [row.urlId, { op: 'put', row }]));
  for (const update of updates) {
    const known = newest.get(idOf(update));
    if (!known || versionOf(update) > versionOf(known)) newest.set(idOf(update), update);
  }
  return [...newest.values()].flatMap((update) => (update.op === 'put' ? [update.row] : []));
};
