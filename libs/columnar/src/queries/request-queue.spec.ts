import { describe, expect, it } from '@jest/globals';
import type { RequestOptions } from '@tapedeck/search-engine/port';
import { requestQueue, type RequestQueue } from './request-queue.ts';

const createGate = (): Readonly<{ promise: Promise<void>; release: () => void }> => {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
};

const run = async <T>(
  queue: RequestQueue,
  request: () => Promise<T>,
  options?: RequestOptions,
): Promise<T> => {
  const leave = await queue.enter(options);
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
    const second = run(queue, async () => void started.push('second'), { signal: controller.signal });
    const third = run(queue, async () => void started.push('third'));
    controller.abort(new Error('aborted'));
    await expect(second).rejects.toThrow('aborted');
    gate.release();
    await Promise.all([first, third]);
    expect(started).toEqual(['third']);
    await expect(
      run(queue, async () => void started.push('late'), { signal: controller.signal }),
    ).rejects.toThrow('aborted');
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

const ample = { maxWaiting: 8, maxAgeMs: 60_000, maxBackgroundAgeMs: 60_000, maxPatientAgeMs: 60_000 };
const busy = expect.objectContaining({ code: 'SEARCH_BUSY', details: { retryAfterSeconds: 1 } });

type Entered = Readonly<{ started: readonly string[]; outcomes: readonly unknown[] }>;

/** Enters all requests while another one runs, then ends that; returns who started, in this order, and what was refused. */
const enterAll = async (
  queue: RequestQueue,
  requests: readonly (RequestOptions & { readonly name: string })[],
  meanwhile: () => Promise<void> | void = () => {},
): Promise<Entered> => {
  const leave = await queue.enter({ client: 'first' });
  const started: string[] = [];
  const results = Promise.allSettled(
    requests.map(({ name, ...options }) => run(queue, async () => void started.push(name), options)),
  );
  await meanwhile();
  leave();
  const outcomes = (await results).flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  return { started, outcomes };
};

const of = (client: string, ...numbers: readonly number[]) =>
  numbers.map((number) => ({ client, name: `${client}${number}` }));

describe('the queue of a busy engine', () => {
  it('serves clients in turn, each in the order of its requests', async () => {
    const { started } = await enterAll(requestQueue(ample), [
      ...of('a', 1, 2, 3),
      ...of('b', 1),
      ...of('c', 1, 2),
    ]);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('serves a client with one request before the further requests of busy ones, and these one turn in four', async () => {
    const queue = requestQueue({ ...ample, maxWaiting: 64 });
    const sparseClients = ['v', 'w', 'x', 'y', 'z'].flatMap((client) => of(client, 1));
    // The client `first` is the one whose request runs.
    const { started } = await enterAll(queue, [...of('first', 1, 2, 3), ...sparseClients]);
    expect(started).toEqual(['v1', 'w1', 'x1', 'first1', 'y1', 'z1', 'first2', 'first3']);
  });

  it('lets one client fill half of it and still takes the requests of others', async () => {
    const queue = requestQueue(ample);
    const isBusyFor: unknown[] = [];
    const requests = [...of('a', 1, 2, 3, 4, 5, 6), ...of('b', 1, 2, 3)];
    const { started, outcomes } = await enterAll(queue, requests, () => {
      isBusyFor.push(...['a', 'b', 'c'].map((client) => queue.isBusy({ client })));
    });
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
    expect(outcomes).toEqual([busy, busy, busy]);
    expect(isBusyFor).toEqual([true, true, false]);
    expect(queue.isBusy({ client: 'a' })).toBe(false);
  });

  it('refuses what has waited too long although the current request does not end', async () => {
    const queue = requestQueue({ ...ample, maxAgeMs: 20 });
    const leave = await queue.enter();
    await expect(queue.enter({ client: 'a' })).rejects.toEqual(busy);
    await expect(queue.enter({ client: 'a', arrivedAt: performance.now() - 21 })).rejects.toEqual(busy);
    leave();
    // Without a queue nothing is too old.
    expect(await run(queue, async () => 'answered', { arrivedAt: performance.now() - 21 })).toBe('answered');
  });

  it('refuses at once what would start too late by the duration of earlier requests', async () => {
    let nowMs = 0;
    const queue = requestQueue({ ...ample, maxAgeMs: 200 }, () => nowMs);
    for (let turn = 0; turn < 5; turn++) await run(queue, async () => void (nowMs += 300));
    const isBusyFor: unknown[] = [];
    const { started, outcomes } = await enterAll(queue, of('a', 1, 2, 3, 4), () => {
      isBusyFor.push(...['a', 'b'].map((client) => queue.isBusy({ client })));
    });
    // A turn takes 123 ms by the mean of all, in which newer ones count more.
    expect(started).toEqual(['a1', 'a2']);
    expect(outcomes).toEqual([busy, busy]);
    expect(isBusyFor).toEqual([true, false]);
  });

  it('forgets aborted requests: others have their places', async () => {
    const queue = requestQueue(ample);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = of('a', 1, 2, 3, 4).map((request) => ({ ...request, signal }));
    const later: Promise<unknown>[] = [];
    const { started } = await enterAll(queue, aborted, () => {
      expect(queue.isBusy({ client: 'a' })).toBe(true);
      controller.abort(new Error('aborted'));
      for (const number of [5, 6, 7, 8]) later.push(run(queue, async () => number, { client: 'a' }));
    });
    expect(started).toEqual([]);
    expect(await Promise.all(later)).toEqual([5, 6, 7, 8]);
  });

  it('serves background work after clients, but one turn in eight while they wait', async () => {
    const work = [1, 2].map((number) => ({ client: 'counts', isBackground: true, name: `work${number}` }));
    const clients = ['a', 'b', 'c', 'd'].flatMap((client) => of(client, 1));
    expect((await enterAll(requestQueue(ample), [...work, ...clients])).started).toEqual([
      'a1',
      'b1',
      'c1',
      'd1',
      'work1',
      'work2',
    ]);
    const many = Array.from({ length: 20 }, (_, index) => of(`m${index}_`, 1)).flat();
    const { started } = await enterAll(requestQueue({ ...ample, maxWaiting: 64 }), [...work, ...many]);
    expect(started.indexOf('work1')).toBe(7);
    expect(started.indexOf('work2')).toBe(15);
  });

  it('lets background work wait longer than clients, and refuses it in the end', async () => {
    const queue = requestQueue({ ...ample, maxWaiting: 2, maxAgeMs: 10, maxBackgroundAgeMs: 150 });
    const order: string[] = [];
    const leave = await queue.enter();
    const refused = (name: string, options: RequestOptions): Promise<unknown> =>
      expect(queue.enter(options).finally(() => order.push(name))).rejects.toEqual(busy);
    await Promise.all([refused('work', { isBackground: true }), refused('client', { client: 'a' })]);
    expect(order).toEqual(['client', 'work']);
    leave();
  });

  it('serves a patient request however slow the machine was before its turn, among the other clients', async () => {
    const queue = requestQueue({ ...ample, maxAgeMs: 10, maxPatientAgeMs: 5_000 });
    const arrivedAt = performance.now() - 1_000;
    const { started, outcomes } = await enterAll(
      queue,
      [
        { client: 'a', arrivedAt, name: 'list' },
        { client: 'b', arrivedAt, name: 'file', isPatient: true },
        { client: 'counts', isBackground: true, name: 'work' },
        { client: 'c', arrivedAt: arrivedAt - 5_000, name: 'too late', isPatient: true },
      ],
      () => new Promise((resolve) => setTimeout(resolve, 20)),
    );
    expect(started).toEqual(['file', 'work']);
    expect(outcomes).toEqual([busy, busy]);
  });
});
