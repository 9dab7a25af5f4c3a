import { beforeEach, describe, expect, it } from '@jest/globals';
import { packSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import { createBrush, type Brush, type SliceWanted } from './brush-store.ts';

/** Ten at each of the stops 0, 1, 2 and none elsewhere, except one between 1 and 2. */
const slice: BrushSlice = {
  field: 'sharpeRatio',
  scale: 'linear',
  stops: [0, 1, 2],
  ...packSlice({ hits: Uint32Array.of(0, 10, 0, 10, 1, 10, 0, 0), facets: [] }),
  meta: { position: '7', demo: false },
};

let brush: Brush;
let answers: ((slice: BrushSlice | null) => void)[] = [];
let requestSignal: string[] = [];
let calls = 0;

const wanted = (key: string): SliceWanted => ({
  field: 'sharpeRatio',
  key,
  edges: [0, 1, 2],
  keyWith: ({ low, high }) => `${key}|${low}|${high}`,
  known: null,
  request: () => ({
    slice: new Promise((resolve) => answers.push(resolve)),
    giveUp: () => requestSignal.push(key),
  }),
});
const at = (low: number): { low: number; high: null } => ({ low, high: null });
const come = async (slice: BrushSlice | null, place = 0): Promise<void> => {
  answers[place]?.(slice);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
};

beforeEach(() => {
  brush = createBrush();
  [answers, requestSignal, calls] = [[], [], 0];
  brush.subscribe(() => calls++);
});

describe('while a thumb is held', () => {
  it('counts what lies between the bounds', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    expect(brush.now()).toMatchObject({ total: 21, key: 'a|1|null' });
    expect(brush.totalFor('sharpeRatio')).toBe(21);
    expect(brush.stopsOf('sharpeRatio')).toEqual([0, 1, 2]);
    expect(brush.released()).toBeNull();
    expect(calls).toBe(1);
  });

  it('counts on from a bound that is no stop, where an answer of the same catalogue is known', async () => {
    const bounds = { low: 1.2, high: null };
    const known = { bounds, total: 11, position: '7', countsOf: () => ({ counts: [], unknown: 0 }) };
    brush.want({ ...wanted('a'), known: { ...known, position: '6' } });
    await come(slice);
    brush.move('sharpeRatio', { low: 1.2, high: 2 });
    expect(brush.totalFor('sharpeRatio')).toBeNull();
    brush.release();
    brush.want({ ...wanted('a'), known });
    brush.move('sharpeRatio', { low: 1.2, high: 2 });
    expect(brush.totalFor('sharpeRatio')).toBe(11);
    expect(answers).toHaveLength(1);
  });

  it('joins in when its slice comes late', async () => {
    brush.want(wanted('a'));
    brush.move('sharpeRatio', at(2));
    expect(brush.now()).toBeNull();
    await come(slice);
    expect(brush.now()?.total).toBe(10);
  });

  it('moves on without a slice that failed, and asks again the next time', async () => {
    brush.want(wanted('a'));
    await come(null);
    brush.move('sharpeRatio', at(2));
    brush.release();
    expect(brush.now()).toBeNull();
    brush.want(wanted('a'));
    expect(answers).toHaveLength(2);
  });

  it('claims no total that it does not know, and keeps the last one to be seen', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    brush.move('sharpeRatio', at(1.5));
    expect(brush.now()?.total).toBe(21);
    expect(brush.totalFor('sharpeRatio')).toBeNull();
  });

  it('keeps its slice, whatever else is pointed at', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    brush.want(wanted('b'));
    expect(answers).toHaveLength(1);
  });

  it('takes back to what was there before', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    brush.release();
    brush.move('sharpeRatio', at(2));
    brush.takeBack();
    expect(brush.now()?.total).toBe(21);
    expect(brush.totalFor('sharpeRatio')).toBe(21);
  });
});

describe('after it was let go', () => {
  it('stays until an answer says the same', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    brush.release();
    const released = brush.released();
    expect(released?.total).toBe(21);
    if (released) brush.answered(released);
    expect(brush.now()).toBeNull();
  });

  it('is not ended by an answer to an earlier drag', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    brush.release();
    const earlier = brush.released();
    brush.move('sharpeRatio', at(2));
    if (earlier) brush.answered(earlier);
    expect(brush.now()?.total).toBe(10);
  });

  it('claims no total any more once other filters have changed', async () => {
    brush.want(wanted('a'));
    await come(slice);
    brush.move('sharpeRatio', at(1));
    brush.release();
    const released = brush.released();
    if (released) brush.outdated(released);
    expect([brush.now()?.total, brush.totalFor('sharpeRatio')]).toEqual([21, null]);
  });
});

describe('slices', () => {
  it('are asked for once, and given up when another is wanted', async () => {
    brush.want(wanted('a'));
    brush.want(wanted('a'));
    brush.want(wanted('b'));
    expect(answers).toHaveLength(2);
    expect(requestSignal).toEqual(['a']);
    await come(slice, 0);
    expect(brush.stopsOf('sharpeRatio')).toBeNull();
    brush.leave();
    expect(requestSignal).toEqual(['a', 'b']);
  });
});
