import type { ExplorerRow, RowUpdate } from '../../search-port.ts';
import { randomRow, type Random } from '../random-catalogue.ts';

const idOf = (update: RowUpdate): string => (update.op === 'put' ? update.row.urlId : update.urlId);
const versionOf = (update: RowUpdate): number => (update.op === 'put' ? update.row.version : update.version);

const shuffled = <T>(random: Random, from: readonly T[]): readonly T[] =>
  from
    .map((value) => [random.next(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

/**
 * Versions of these strategies, older and newer than what is loaded, each once or twice, in no order whatever, in
 * batches. A version that is loaded says the same when it comes again.
 */
export const randomHistory = (
  random: Random,
  ids: readonly string[],
  rows: readonly ExplorerRow[],
): readonly (readonly RowUpdate[])[] => {
  const known = new Map(rows.map((row) => [row.urlId, row]));
  const updates = ids.flatMap((urlId) =>
    Array.from({ length: 1 + random.below(5) }, (_, at): RowUpdate => {
      const version = at + 1;
      const row = known.get(urlId);
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

/** The rows that there are once all of this has been heard: of each strategy what its highest version says. */
export const outcomeOf = (
  rows: readonly ExplorerRow[],
  heard: readonly RowUpdate[],
): readonly ExplorerRow[] => {
  const newest = new Map<string, RowUpdate>(rows.map((row) => [row.urlId, { op: 'put', row }]));
  for (const update of heard) {
    const known = newest.get(idOf(update));
    if (!known || versionOf(update) > versionOf(known)) newest.set(idOf(update), update);
  }
  return [...newest.values()].flatMap((update) => (update.op === 'put' ? [update.row] : []));
};
