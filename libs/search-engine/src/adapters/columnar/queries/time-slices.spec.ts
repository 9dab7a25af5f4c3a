import { describe, expect, it } from '@jest/globals';
import { defaultScale } from '../../../contract.ts';
import { toSearchFilter } from '../../../search-filter.ts';
import { seededRandom, randomRows } from '../../../testing/random-catalogue.ts';
import { createColumnarEngine, type ColumnarEngine } from '../engine.ts';
import { javascriptKernel } from '../kernel/testing/reference-kernel.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** An engine of 200 rows whose kernel tells of its work. */
const engineWith = async (
  watch: Partial<Record<'refresh' | 'brush' | 'excludeWithout', () => void>>,
): Promise<ColumnarEngine> => {
  const engine = createColumnarEngine({
    kernel: (memory, layout): Kernel => {
      const kernel = javascriptKernel(memory, layout);
      return {
        ...kernel,
        refresh: (job) => {
          watch.refresh?.();
          return kernel.refresh(job);
        },
        brush: (job) => {
          watch.brush?.();
          return kernel.brush(job);
        },
        excludeWithout: (column, bits, size) => {
          watch.excludeWithout?.();
          kernel.excludeWithout(column, bits, size);
        },
      };
    },
  });
  await engine.load(randomRows(seededRandom(31), 200));
  return engine;
};

/** Longer than a turn of the event loop may work. */
const workLong = (): void => {
  const end = performance.now() + 4;
  while (performance.now() < end);
};

const narrowed = (least: number): Parameters<ColumnarEngine['search']>[0] => ({
  filter: toSearchFilter({ has_enhanced: true, min_likes: least }),
  page: { sort: 'likes', order: 'asc', offset: 0, limit: 10 },
  histograms: defaultScale,
});

describe('questions that take long', () => {
  it('let the event loop have its turn between them', async () => {
    const engine = await engineWith({ refresh: workLong });
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all(Array.from({ length: 10 }, (_, least) => engine.search(narrowed(least))));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('end where they are when they are given up', async () => {
    const giveUp = new AbortController();
    let brushes = 0;
    const engine = await engineWith({
      refresh: () => {
        workLong();
        giveUp.abort(new Error('Nobody waits.'));
      },
      brush: () => brushes++,
    });
    const options = { signal: giveUp.signal };
    const brush = { filter: toSearchFilter({}), active: 'likes', scales: defaultScale } as const;
    const questions = [engine.search(narrowed(1), options), engine.brush(brush, options)];
    const given = await Promise.allSettled(questions);
    expect(given.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(brushes).toBe(0);
    await engine.brush(brush);
    expect(brushes).toBe(1);
  });

  it('stop listing when nobody reads on', async () => {
    const giveUp = new AbortController();
    const engine = createColumnarEngine();
    await engine.load(randomRows(seededRandom(32), 1_200));
    const order = { sort: 'views', order: 'desc' } as const;
    const lengths: number[] = [];
    const read = async (): Promise<void> => {
      for await (const rows of engine.list(toSearchFilter({}), order, 1_100, { signal: giveUp.signal })) {
        lengths.push(rows.length);
        if (lengths.length === 2) giveUp.abort(new Error('Nobody reads.'));
      }
    };
    await expect(read()).rejects.toThrow('Nobody reads.');
    expect(lengths).toEqual([500, 500]);
  });
});

describe('a slider that is dragged', () => {
  it('has the other filters worked out once, until the catalogue changes', async () => {
    let filters = 0;
    const engine = await engineWith({ excludeWithout: () => filters++ });
    for (let least = 0; least < 20; least++) await engine.search(narrowed(least));
    expect(filters).toBe(1);
    await engine.apply([{ op: 'remove', urlId: 'not there', version: 1 }], 1n);
    await engine.search(narrowed(1));
    expect(filters).toBe(2);
  });
});
