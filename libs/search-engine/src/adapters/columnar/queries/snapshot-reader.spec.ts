import { describe, expect, it } from '@jest/globals';
import { requestQueue, type RequestQueue } from './snapshot-reader.ts';

const createGate = (): Readonly<{ promise: Promise<void>; release: () => void }> => {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
};

const run = async <T>(queue: RequestQueue, request: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  const leave = await queue.enter(signal);
  try {
    return await request();
  } finally {
    leave();
  }
};

describe('the request queue', () => {
  it('runs requests one after the other, in the order of their arrival', async () => {
    const queue = requestQueue();
    const log: string[] = [];
    const gate = createGate();
    const request = (name: string) => async (): Promise<string> => {
      log.push(`${name} starts`);
      await gate.promise;
      log.push(`${name} ends`);
      return name;
    };
    const results = Promise.all(['a', 'b', 'c'].map((name) => run(queue, request(name))));
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['a starts']);
    gate.release();
    expect(await results).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('removes an aborted request without starting it', async () => {
    const queue = requestQueue();
    const gate = createGate();
    const first = run(queue, () => gate.promise);
    const controller = new AbortController();
    const started: string[] = [];
    const second = run(queue, async () => void started.push('second'), controller.signal);
    const third = run(queue, async () => void started.push('third'));
    controller.abort(new Error('aborted'));
    await expect(second).rejects.toThrow('aborted');
    gate.release();
    await Promise.all([first, third]);
    expect(started).toEqual(['third']);
    await expect(run(queue, async () => void started.push('late'), controller.signal)).rejects.toThrow(
      'aborted',
    );
  });

  it('continues after a request that fails', async () => {
    const queue = requestQueue();
    const failing = run(queue, () => Promise.reject(new Error('No.')));
    const next = run(queue, () => Promise.resolve('answered'));
    await expect(failing).rejects.toThrow('No.');
    expect(await next).toBe('answered');
  });

  it('runs other work only between two requests', async () => {
    const queue = requestQueue();
    const log: string[] = [];
    queue.runBetween(() => log.push('at once'));
    const gate = createGate();
    const first = run(queue, async () => {
      await gate.promise;
      log.push('first');
    });
    queue.runBetween(() => log.push('between'));
    const second = run(queue, async () => void log.push('second'));
    expect(log).toEqual(['at once']);
    gate.release();
    await Promise.all([first, second]);
    expect(log).toEqual(['at once', 'first', 'between', 'second']);
  });
});
