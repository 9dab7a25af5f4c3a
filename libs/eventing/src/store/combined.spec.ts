import { describe, expect, it } from '@jest/globals';
import { combined } from './combined.ts';

type Run = Readonly<{ items: readonly string[]; end: (error?: Error) => void }>;

/** An operation whose runs the test ends. */
const heldOperation = (): Readonly<{
  runs: readonly Run[];
  call: (items: readonly string[]) => Promise<string>;
}> => {
  const runs: Run[] = [];
  const call = combined(
    (items: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        runs.push({ items, end: (error) => (error ? reject(error) : resolve(items.join())) });
      }),
  );
  return { runs, call };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a combined operation', () => {
  it('serves the calls that come while it runs by one further run', async () => {
    const { runs, call } = heldOperation();
    const first = call(['a']);
    await nextTurn();
    const later = [call(['b', 'c']), call(['d'])];
    await nextTurn();
    expect(runs.map(({ items }) => items)).toEqual([['a']]);
    runs[0]?.end();
    await nextTurn();
    runs[1]?.end();
    expect(await Promise.all([first, ...later])).toEqual(['a', 'b,c,d', 'b,c,d']);
  });

  it('fails for the caller alone whose items make it fail', async () => {
    const call = combined(async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('bad item');
      return items.join();
    });
    const results = await Promise.allSettled([call(['a']), call(['bad']), call(['b'])]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      'a',
      'failed',
      'b',
    ]);
    expect(await call(['later'])).toBe('later');
  });
});
