import { describe, expect, it } from '@jest/globals';
import { createSharedReads } from './shared-reads.ts';

const setUp = () => {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const reads = createSharedReads(() => clock.ms);
  const read = (key: string, answer = key): Promise<string | undefined> =>
    reads.read(key, async () => {
      asked.push(key);
      return answer;
    });
  return { clock, asked, reads, read };
};

describe('reads that visitors cause', () => {
  it('are one request for the same at once, and for two seconds', async () => {
    const { asked, clock, read } = setUp();
    const answers = await Promise.all([read('a', '1'), read('a', '2'), read('b')]);
    clock.ms = 1_999;
    answers.push(await read('a', '3'));
    expect(answers).toEqual(['1', '1', 'b', '1']);
    clock.ms = 2_000;
    expect(await read('a', '4')).toBe('4');
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('are asked for again at once after a failure', async () => {
    const { read, reads } = setUp();
    await expect(reads.read('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await read('a', 'up')).toBe('up');
  });

  it('are at most 600 in a minute, whatever ids are sent', async () => {
    const { asked, clock, read } = setUp();
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => read(`${i}`)));
    expect(asked).toHaveLength(600);
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(400);
    clock.ms = 60_000;
    expect(await read('next')).toBe('next');
  });
});
