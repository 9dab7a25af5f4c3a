import { beforeEach, describe, expect, it } from '@jest/globals';
import { packSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import { createBrush, type Brush, type SliceOptions } from './brush-store.ts';

/** Ten rows at each of the snap points 0, 1 and 2, and one row between 1 and 2. */
const slice: BrushSlice = {
  field: 'sharpeRatio',
  scale: 'linear',
  snapPoints: [0, 1, 2],
  ...packSlice({ hits: Uint32Array.of(0, 10, 0, 10, 1, 10, 0, 0), facets: [] }),
  meta: { position: '7', demo: false },
};

let brush: Brush;
let answers: ((slice: BrushSlice | null) => void)[] = [];
let releasedKeys: string[] = [];
let notifications = 0;

const optionsFor = (key: string): SliceOptions => ({
  field: 'sharpeRatio',
  key,
  edges: [0, 1, 2],
  keyWith: ({ low, high }) => `${key}|${low}|${high}`,
  known: null,
  request: () => ({
    slice: new Promise((resolve) => answers.push(resolve)),
    release: () => releasedKeys.push(key),
  }),
});
const from = (low: number): { low: number; high: null } => ({ low, high: null });
const answer = async (slice: BrushSlice | null, request = 0): Promise<void> => {
  answers[request]?.(slice);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
};

beforeEach(() => {
  brush = createBrush();
  [answers, releasedKeys, notifications] = [[], [], 0];
  brush.subscribe(() => notifications++);
});

describe('a brush while a thumb is held', () => {
  it('counts the rows between the bounds', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    expect(brush.current()).toMatchObject({ total: 21, key: 'a|1|null' });
    expect(brush.totalFor('sharpeRatio')).toBe(21);
    expect(brush.snapPointsOf('sharpeRatio')).toEqual([0, 1, 2]);
    expect(brush.released()).toBeNull();
    expect(notifications).toBe(1);
  });

  it('counts from a bound between two snap points if an answer of the same catalogue is known', async () => {
    const bounds = { low: 1.2, high: null };
    const known = { bounds, total: 11, position: '7', countsOf: () => ({ counts: [], unknown: 0 }) };
    brush.prepare({ ...optionsFor('a'), known: { ...known, position: '6' } });
    await answer(slice);
    brush.move('sharpeRatio', { low: 1.2, high: 2 });
    expect(brush.totalFor('sharpeRatio')).toBeNull();
    brush.release();
    brush.prepare({ ...optionsFor('a'), known });
    brush.move('sharpeRatio', { low: 1.2, high: 2 });
    expect(brush.totalFor('sharpeRatio')).toBe(11);
    expect(answers).toHaveLength(1);
  });

  it('counts as soon as a late slice arrives', async () => {
    brush.prepare(optionsFor('a'));
    brush.move('sharpeRatio', from(2));
    expect(brush.current()).toBeNull();
    await answer(slice);
    expect(brush.current()?.total).toBe(10);
  });

  it('has no counts without a slice, and requests a failed one again', async () => {
    brush.prepare(optionsFor('a'));
    await answer(null);
    brush.move('sharpeRatio', from(2));
    brush.release();
    expect(brush.current()).toBeNull();
    brush.prepare(optionsFor('a'));
    expect(answers).toHaveLength(2);
  });

  it('keeps showing the last counts where it has no exact total', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    brush.move('sharpeRatio', from(1.5));
    expect(brush.current()?.total).toBe(21);
    expect(brush.totalFor('sharpeRatio')).toBeNull();
  });

  it('keeps its slice while the pointer is over another slider', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    brush.prepare(optionsFor('b'));
    expect(answers).toHaveLength(1);
  });

  it('restores the earlier counts when the drag is cancelled', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    brush.release();
    brush.move('sharpeRatio', from(2));
    brush.cancel();
    expect(brush.current()?.total).toBe(21);
    expect(brush.totalFor('sharpeRatio')).toBe(21);
  });
});

describe('a brush after the thumb was released', () => {
  it('keeps its counts until an answer confirms them', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    brush.release();
    const released = brush.released();
    expect(released?.total).toBe(21);
    if (released) brush.confirm(released);
    expect(brush.current()).toBeNull();
  });

  it('ignores the answer to an earlier drag', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    brush.release();
    const earlier = brush.released();
    brush.move('sharpeRatio', from(2));
    if (earlier) brush.confirm(earlier);
    expect(brush.current()?.total).toBe(10);
  });

  it('has no exact total once other filters have changed', async () => {
    brush.prepare(optionsFor('a'));
    await answer(slice);
    brush.move('sharpeRatio', from(1));
    brush.release();
    const released = brush.released();
    if (released) brush.markOutdated(released);
    expect([brush.current()?.total, brush.totalFor('sharpeRatio')]).toEqual([21, null]);
  });
});

describe('the slice of a brush', () => {
  it('is requested once, and released when another one is prepared', async () => {
    brush.prepare(optionsFor('a'));
    brush.prepare(optionsFor('a'));
    brush.prepare(optionsFor('b'));
    expect(answers).toHaveLength(2);
    expect(releasedKeys).toEqual(['a']);
    await answer(slice, 0);
    expect(brush.snapPointsOf('sharpeRatio')).toBeNull();
    brush.reset();
    expect(releasedKeys).toEqual(['a', 'b']);
  });
});
