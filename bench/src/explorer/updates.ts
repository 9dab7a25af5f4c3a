import type { RowUpdate } from '@tapedeck/search-engine/engine';
import { count, ms, say, table, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';
import { catalogueRows } from './catalogue.ts';
import { watchLoop } from './event-loop.ts';
import type { Loaded } from './load-engine.ts';
import { openFilter } from './open-filter.ts';

const batch = 1_000;
const aimMillis = 5;

/** A third new, the rest rows of the catalogue at their next version. */
const updatesOf = (size: number, turn: number): readonly RowUpdate[] => {
  const every = Math.max(1, Math.floor(size / batch));
  const updates: RowUpdate[] = [];
  let index = 0;
  for (const row of catalogueRows(Math.min(size, every * batch), 100 + turn)) {
    if (index++ % every !== 0) continue;
    const isNew = updates.length % 3 === 0;
    updates.push({
      op: 'put',
      row: { ...row, version: 2 + turn, ...(isNew ? { urlId: `${row.urlId}${turn}` } : {}) },
    });
  }
  return updates;
};

/** How long changes take, and for how long nobody is answered meanwhile. */
export const benchUpdates = async (
  { engine, seconds, longestBlock }: Loaded,
  rows: number,
  rounds: number,
): Promise<Claim> => {
  const millis: number[] = [];
  const blocks: number[] = [];
  const batches = Array.from({ length: rounds }, (_, turn) => updatesOf(rows, turn));
  for (const [turn, updates] of batches.entries()) {
    const before = (await engine.search({ filter: openFilter })).total;
    const watched = await watchLoop(() => engine.apply(updates, BigInt(turn + 1)));
    const after = (await engine.search({ filter: openFilter })).total;
    const added = updates.filter(({ op }, at) => op === 'put' && at % 3 === 0).length;
    if (after - before !== added)
      throw new Error(`After ${added} new rows the catalogue has ${after - before} more.`);
    millis.push(watched.millis);
    blocks.push(watched.longestBlock);
  }
  // The control: the loop is watched for as long while nothing is done.
  const idle = await watchLoop(() => new Promise((resolve) => setTimeout(resolve, percentile(millis, 0.5))));
  const longest = percentile(blocks, 0.5);
  say(`Changes of a catalogue of ${count(rows)} rows:`);
  say();
  table(
    ['change', 'ms', 'longest block, ms'],
    [
      ['loading all rows, made on this loop', ms(seconds * 1_000), ms(longestBlock)],
      [`${count(batch)} updates, median of ${rounds}`, ms(percentile(millis, 0.5)), ms(longest)],
      ['nothing at all, for as long', ms(idle.millis), ms(idle.longestBlock)],
    ],
  );
  return {
    claim: `longest block by ${count(batch)} updates at ${count(rows)} rows`,
    aim: `≤ ${aimMillis} ms`,
    measured: `${ms(longest)} ms`,
    reached: longest <= aimMillis,
  };
};
