import { describe, expect, it } from '@jest/globals';
import { createPace } from './scheduler.ts';

/** Longer than a turn of the event loop may work. */
const workLong = (): void => {
  const end = performance.now() + 4;
  while (performance.now() < end);
};

describe('the pace of work', () => {
  it('asks for a rest after long work, also when the work began with the end of another rest', async () => {
    const pace = createPace();
    expect(pace.isDue()).toBe(false);
    workLong();
    expect(pace.isDue()).toBe(true);
    await pace.rest();
    workLong();
    expect(pace.isDue()).toBe(true);
  });

  it('rests before a long piece only when something has been done already', () => {
    const pace = createPace();
    expect(pace.isDue(10)).toBe(false);
    workLong();
    expect(pace.isDue(10)).toBe(true);
  });

  it('ends with the rest of a question that has been given up', async () => {
    const pace = createPace();
    await expect(pace.rest(AbortSignal.abort(new Error('Nobody waits.')))).rejects.toThrow('Nobody waits.');
  });
});
