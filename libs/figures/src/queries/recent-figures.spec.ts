import { describe, expect, it } from '@jest/globals';
import { figuresOfTwoDays } from '../testing/figures-of-two-days.ts';
import { recentFigures } from './recent-figures.ts';

describe('recent figures', () => {
  it('are counted once for requests at the same time and within a second', async () => {
    let [now, counts] = [0, 0];
    const { read } = recentFigures(
      async () => {
        counts += 1;
        return figuresOfTwoDays;
      },
      () => now,
    );
    await Promise.all([read(), read()]);
    now = 999;
    await read();
    expect(counts).toBe(1);
    now = 1_000;
    await read();
    expect(counts).toBe(2);
  });

  it('are older where counting takes longer, so that it takes a tenth of the time', async () => {
    let [now, counts] = [0, 0];
    const { read } = recentFigures(
      async () => {
        counts += 1;
        now += 500;
        return figuresOfTwoDays;
      },
      () => now,
    );
    await read();
    now = 5_499;
    await read();
    expect(counts).toBe(1);
    now = 5_500;
    await read();
    expect(counts).toBe(2);
  });

  it('are counted again after a failure', async () => {
    let isLost = true;
    const { read } = recentFigures(async () => {
      if (isLost) throw new Error('The database is lost.');
      return figuresOfTwoDays;
    });
    await expect(read()).rejects.toThrow('The database is lost.');
    isLost = false;
    expect(await read()).toBe(figuresOfTwoDays);
  });
});
