import { setTimeout as wait } from 'node:timers/promises';
import type { RowUpdate } from '@tapedeck/search-engine/engine';
import { count, ms, say, table, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';
import { catalogueRows } from './catalogue.ts';
import { watchLoop } from '../event-loop.ts';
import type { Loaded } from './load-engine.ts';
import { openFilter } from './figures.ts';

const batch = 1_000;
const aimMs = 5;

/** One third new rows, the others new versions of rows of the catalogue. */
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

/** Measures the duration of updates, and for how long they block the event loop. */
export const benchUpdates = async (
  { engine, seconds, maxBlockMs }: Loaded,
  rows: number,
  rounds: number,
): Promise<Claim> => {
  const millis: number[] = [];
  const blocksMs: number[] = [];
  const batches = Array.from({ length: rounds }, (_, turn) => updatesOf(rows, turn));
  for (const [turn, updates] of batches.entries()) {
    const before = (await engine.search({ filter: openFilter })).total;
    const watched = await watchLoop(() => engine.apply(updates, BigInt(turn + 1)));
    const after = (await engine.search({ filter: openFilter })).total;
    const added = updates.filter(({ op }, at) => op === 'put' && at % 3 === 0).length;
    if (after - before !== added)
      throw new Error(`After ${added} new rows the catalogue has ${after - before} more.`);
    millis.push(watched.millis);
    blocksMs.push(watched.maxBlockMs);
  }
  // For comparison: the idle event loop, for as long.
  const idle = await watchLoop(() => wait(percentile(millis, 0.5)));
  const medianMaxMs = percentile(blocksMs, 0.5);
  say(`Updates of a catalogue of ${count(rows)} rows:`);
  say();
  table(
    ['update', 'ms', 'longest block, ms'],
    [
      ['loading all rows, generated in this thread', ms(seconds * 1_000), ms(maxBlockMs)],
      [`${count(batch)} updates, median of ${rounds}`, ms(percentile(millis, 0.5)), ms(medianMaxMs)],
      ['idle, for as long', ms(idle.millis), ms(idle.maxBlockMs)],
    ],
  );
  return {
    claim: `longest block by ${count(batch)} updates at ${count(rows)} rows`,
    aim: `≤ ${aimMs} ms`,
    measured: `${ms(medianMaxMs)} ms`,
    reached: medianMaxMs <= aimMs,
  };
};
