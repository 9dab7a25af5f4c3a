import { describe, expect, it } from '@jest/globals';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { toSearchFilter } from '@tapedeck/search-engine/port';
import { seededRandom, randomRows } from '@tapedeck/search-engine/testing';
import { createColumnarEngine, type ColumnarEngine } from '../engine.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { simdKernel } from '../kernel/simd-kernel.ts';

/** An engine of 200 rows whose kernel calls `watch` before its work. */
const engineWith = async (
  watch: Partial<Record<'refresh' | 'brush' | 'excludeWithout', () => void>>,
): Promise<ColumnarEngine> => {
  const engine = createColumnarEngine({
    kernel: (memory, layout): Kernel => {
      const kernel = simdKernel(memory, layout);
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

/** Longer than the longest time slice. */
const workLong = (): void => {
  const end = performance.now() + 21;
  while (performance.now() < end);
};

const narrowed = (minLikes: number): Parameters<ColumnarEngine['search']>[0] => ({
  filter: toSearchFilter({ has_enhanced: true, min_likes: minLikes }),
  page: { sort: 'likes', order: 'asc', offset: 0, limit: 10 },
  histograms: defaultScale,
});

describe('long requests', () => {
  it('let the event loop run between them', async () => {
    let iterations = 0;
    let isOver = false;
    const seen: number[] = [];
    const engine = await engineWith({
      refresh: () => {
        seen.push(iterations);
        workLong();
      },
    });
    const iterate = (): void => {
      iterations++;
      if (!isOver) setImmediate(iterate);
    };
    setImmediate(iterate);
    // Of background requests none is refused because it has waited for too long, as on a busy machine.
    const requests = Array.from({ length: 10 }, (_, minLikes) =>
      engine.search(narrowed(minLikes), { isBackground: true }),
    );
    await Promise.all(requests).finally(() => (isOver = true));
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
  });

  it('stop when they are aborted', async () => {
    const controller = new AbortController();
    let brushes = 0;
    const engine = await engineWith({
      refresh: () => {
        workLong();
        controller.abort(new Error('aborted'));
      },
      brush: () => brushes++,
    });
    const options = { signal: controller.signal };
    const brush = { filter: toSearchFilter({}), active: 'likes', scales: defaultScale } as const;
    const requests = [engine.search(narrowed(1), options), engine.brush(brush, options)];
    const outcomes = await Promise.allSettled(requests);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(brushes).toBe(0);
    await engine.brush(brush);
    expect(brushes).toBe(1);
  });

  it('stop listing when they are aborted', async () => {
    const controller = new AbortController();
    const engine = createColumnarEngine();
    await engine.load(randomRows(seededRandom(32), 1_200));
    const order = { sort: 'views', order: 'desc' } as const;
    const lengths: number[] = [];
    const read = async (): Promise<void> => {
      for await (const rows of engine.list(toSearchFilter({}), order, 1_100, { signal: controller.signal })) {
        lengths.push(rows.length);
        if (lengths.length === 2) controller.abort(new Error('aborted'));
      }
    };
    await expect(read()).rejects.toThrow('aborted');
    expect(lengths).toEqual([500, 500]);
  });
});

describe('a dragged slider', () => {
  it('makes the engine apply the other filters once, until the catalogue changes', async () => {
    let filters = 0;
    const engine = await engineWith({ excludeWithout: () => filters++ });
    for (let minLikes = 0; minLikes < 20; minLikes++) await engine.search(narrowed(minLikes));
    expect(filters).toBe(1);
    await engine.apply([{ op: 'remove', urlId: 'not there', version: 1 }], 1n);
    await engine.search(narrowed(1));
    expect(filters).toBe(2);
  });
});
