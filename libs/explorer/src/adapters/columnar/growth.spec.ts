import { describe, expect, it } from '@jest/globals';
import { diceOf, randomIds, randomRow } from '../../testing/random-catalogue.ts';
import { toSearchFilter } from '../../search-query.ts';
import { applyUpdates, compacted, wantsCompaction } from './apply.ts';
import { snapshotBuilder } from './build.ts';
import { createColumnarEngine } from './engine.ts';

const everything = {
  filter: toSearchFilter({}),
  page: { sort: 'views', order: 'desc', offset: 0, limit: 100 },
} as const;

describe('a columnar catalogue that changes for long', () => {
  it('answers as a fresh one, and keeps no more than a quarter of dead rows', () => {
    const dice = diceOf(7);
    const ids = randomIds(dice, 700);
    const engine = createColumnarEngine();
    const fresh = createColumnarEngine();
    for (let round = 1; round <= 12; round++) {
      const rows = ids.map((id) => ({ ...randomRow(dice, id), version: round }));
      engine.apply(
        rows.map((row) => ({ op: 'put', row })),
        BigInt(round),
      );
      fresh.load(rows, { position: BigInt(round), edges: engine.drawEdges(1) });
      engine.useEdges(engine.drawEdges(1));
      expect(engine.answer(everything)).toEqual(fresh.answer(everything));
      expect(engine.size()).toBe(700);
    }
  });

  it('leaves an older snapshot as it was', () => {
    const dice = diceOf(8);
    const ids = randomIds(dice, 50);
    const builder = snapshotBuilder();
    for (const id of ids) builder.add(randomRow(dice, id));
    const first = builder.finish(1n, null);
    const titles = first.columns.titles.slice(0, first.size);
    let last = first;
    for (let round = 1; round <= 40; round++) {
      last = applyUpdates(
        last,
        ids.map((id) => ({ op: 'put', row: { ...randomRow(dice, id), version: round } })),
        2n,
      );
    }
    expect(first.size).toBe(50);
    expect(first.columns.titles.slice(0, first.size)).toEqual(titles);
    expect([...first.alive]).toEqual(Array.from({ length: 50 }, () => 0));
    expect(wantsCompaction(last)).toBe(true);
    expect(compacted(last)).toMatchObject({ size: 50, dead: 0 });
  });

  it('takes the last of several rows with one id', () => {
    const dice = diceOf(9);
    const engine = createColumnarEngine();
    engine.load(['one', 'two', 'three'].map((title) => ({ ...randomRow(dice, 'abcd1234'), title })));
    const { total, hits } = engine.answer(everything);
    expect([total, hits[0]?.title]).toEqual([1, 'three']);
  });
});
