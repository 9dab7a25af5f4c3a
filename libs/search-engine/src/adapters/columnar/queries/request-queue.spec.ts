import { describe, expect, it } from '@jest/globals';
import { questionQueue } from './request-queue.ts';

const held = (): Readonly<{ promise: Promise<void>; release: () => void }> => {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
};

describe('questions', () => {
  it('are answered one after the other, in the order in which they came', async () => {
    const queue = questionQueue();
    const told: string[] = [];
    const gate = held();
    const question = (name: string) => async (): Promise<string> => {
      told.push(`${name} begins`);
      await gate.promise;
      told.push(`${name} ends`);
      return name;
    };
    const answers = Promise.all(['a', 'b', 'c'].map((name) => queue.ask(question(name))));
    expect(told).toEqual(['a begins']);
    gate.release();
    expect(await answers).toEqual(['a', 'b', 'c']);
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('leave the queue when they are given up, and do not begin', async () => {
    const queue = questionQueue();
    const gate = held();
    const first = queue.ask(() => gate.promise);
    const giveUp = new AbortController();
    const begun: string[] = [];
    const second = queue.ask(async () => void begun.push('second'), giveUp.signal);
    const third = queue.ask(async () => void begun.push('third'));
    giveUp.abort(new Error('Nobody waits.'));
    await expect(second).rejects.toThrow('Nobody waits.');
    gate.release();
    await Promise.all([first, third]);
    expect(begun).toEqual(['third']);
    await expect(queue.ask(async () => void begun.push('late'), giveUp.signal)).rejects.toThrow(
      'Nobody waits.',
    );
  });

  it('go on after one that fails', async () => {
    const queue = questionQueue();
    const failing = queue.ask(() => Promise.reject(new Error('No.')));
    const next = queue.ask(() => Promise.resolve('answered'));
    await expect(failing).rejects.toThrow('No.');
    expect(await next).toBe('answered');
  });

  it('have what comes between them done when none is being answered', async () => {
    const queue = questionQueue();
    const told: string[] = [];
    queue.between(() => told.push('at once'));
    const gate = held();
    const first = queue.ask(async () => {
      await gate.promise;
      told.push('first');
    });
    queue.between(() => told.push('between'));
    const second = queue.ask(async () => void told.push('second'));
    expect(told).toEqual(['at once']);
    gate.release();
    await Promise.all([first, second]);
    expect(told).toEqual(['at once', 'first', 'between', 'second']);
  });
});
