import { describe, expect, it } from '@jest/globals';
import { createSearchQueue, type QueuedOptions, type SearchQueue } from './search-queue.ts';

type Request = Readonly<{ result: Promise<string>; isRunning: () => boolean; finish: () => void }>;

/** A request whose work lasts until `finish`. */
const begin = (queue: SearchQueue, searches: number, options: QueuedOptions = {}): Request => {
  let isRunning = false;
  let finish = (): void => {};
  const work = new Promise<string>((resolve) => {
    finish = () => resolve('answer');
  });
  const result = queue.run(
    searches,
    () => {
      isRunning = true;
      return work;
    },
    options,
  );
  result.catch(() => {});
  return { result, isRunning: () => isRunning, finish };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const running = async (requests: readonly Request[]): Promise<readonly boolean[]> => {
  await nextTurn();
  return requests.map(({ isRunning }) => isRunning());
};
const isBusy = { kind: 'unavailable', code: 'SEARCH_BUSY' };

/** A queue whose latest requests have each taken at least so long. */
const queueOfSlowServer = async (maxRunning: number, tookMs: number): Promise<SearchQueue> => {
  const queue = createSearchQueue({ maxRunning, maxWaitMs: 100 });
  for (let sent = 0; sent < 30; sent++) {
    const request = begin(queue, maxRunning);
    const until = performance.now() + tookMs;
    while (performance.now() < until) await nextTurn();
    request.finish();
    await request.result;
  }
  return queue;
};

describe('the queue of searches', () => {
  it('lets as many searches run as the limit allows, and the others in their order', async () => {
    const queue = createSearchQueue({ maxRunning: 10, maxWaitMs: 60_000 });
    const requests = [6, 4, 9, 1].map((searches) => begin(queue, searches));
    expect(await running(requests)).toEqual([true, true, false, false]);
    requests[1]?.finish();
    expect(await running(requests)).toEqual([true, true, false, false]);
    requests[0]?.finish();
    expect(await running(requests)).toEqual([true, true, true, true]);
    requests.forEach(({ finish }) => finish());
    expect(await Promise.all(requests.map(({ result }) => result))).toHaveLength(4);
  });

  it('lets a request of more searches than the limit run alone', async () => {
    const queue = createSearchQueue({ maxRunning: 10, maxWaitMs: 60_000 });
    const requests = [11, 1].map((searches) => begin(queue, searches));
    expect(await running(requests)).toEqual([true, false]);
    requests[0]?.finish();
    expect(await running(requests)).toEqual([true, true]);
    requests[1]?.finish();
    await requests[1]?.result;
  });

  it('refuses a request at once that would wait longer than the limit', async () => {
    const queue = await queueOfSlowServer(1, 10);
    const requests = Array.from({ length: 100 }, () => begin(queue, 1));
    const results = Promise.allSettled(requests.map(({ result }) => result));
    await nextTurn();
    // At least 10 ms each, of which the mean has reached most: about ten fit into the limit.
    const [last] = requests.slice(-1);
    await expect(last?.result).rejects.toMatchObject(isBusy);
    requests.forEach(({ finish }) => finish());
    const answered = (await results).filter(({ status }) => status === 'fulfilled').length;
    expect(answered).toBeGreaterThan(1);
    expect(answered).toBeLessThanOrEqual(12);
  });

  it('refuses a request that has waited too long, because the server has become slower', async () => {
    const queue = createSearchQueue({ maxRunning: 1, maxWaitMs: 5 });
    const [stuck, waiting] = [begin(queue, 1), begin(queue, 1)];
    await expect(waiting.result).rejects.toMatchObject(isBusy);
    stuck.finish();
    await stuck.result;
    expect(waiting.isRunning()).toBe(false);
  });

  it('lets an aborted request leave', async () => {
    const queue = createSearchQueue({ maxRunning: 1, maxWaitMs: 60_000 });
    const aborting = new AbortController();
    const requests = [begin(queue, 1), begin(queue, 1, { signal: aborting.signal }), begin(queue, 1)];
    aborting.abort(new Error('closed'));
    await expect(requests[1]?.result).rejects.toThrow('closed');
    requests[0]?.finish();
    expect(await running(requests)).toEqual([true, false, true]);
    await expect(begin(queue, 1, { signal: aborting.signal }).result).rejects.toThrow('closed');
    requests[2]?.finish();
    await requests[2]?.result;
  });

  it('continues what it has admitted before it admits more, and does not refuse it', async () => {
    const queue = await queueOfSlowServer(1, 10);
    const requests = Array.from({ length: 100 }, () => begin(queue, 1));
    const continuations = [1, 2].map(() => begin(queue, 1, { isContinuation: true }));
    requests[0]?.finish();
    expect(await running([...continuations, ...requests.slice(1, 2)])).toEqual([true, false, false]);
    continuations.forEach(({ finish }) => finish());
    requests.forEach(({ finish }) => finish());
    expect(await Promise.all(continuations.map(({ result }) => result))).toHaveLength(2);
    await Promise.allSettled(requests.map(({ result }) => result));
  });

  it('lets a patient request wait in the order of its arrival where others are refused', async () => {
    const queue = await queueOfSlowServer(1, 10);
    const clients = Array.from({ length: 100 }, () => begin(queue, 1));
    const patient = begin(queue, 1, { isPatient: true });
    clients[0]?.finish();
    expect(await running([patient, ...clients.slice(1, 2)])).toEqual([false, true]);
    clients.forEach(({ finish }) => finish());
    await Promise.allSettled(clients.map(({ result }) => result));
    patient.finish();
    expect(await patient.result).toBe('answer');
  });

  it('lets background work run after the requests of clients, and does not refuse it because of them', async () => {
    const queue = await queueOfSlowServer(1, 10);
    const first = begin(queue, 1);
    const background = begin(queue, 1, { isBackground: true });
    const clients = Array.from({ length: 100 }, () => begin(queue, 1));
    expect([queue.isBusy({}), queue.isBusy({ isPatient: true })]).toEqual([true, false]);
    first.finish();
    expect(await running([background, ...clients.slice(0, 1)])).toEqual([false, true]);
    clients.forEach(({ finish }) => finish());
    await Promise.allSettled(clients.map(({ result }) => result));
    background.finish();
    expect([await background.result, queue.isBusy({})]).toEqual(['answer', false]);
  });

  it('admits requests again as soon as the slow ones have ended', async () => {
    const queue = await queueOfSlowServer(1, 10);
    const slow = Array.from({ length: 100 }, () => begin(queue, 1));
    slow.forEach(({ finish }) => finish());
    await Promise.allSettled(slow.map(({ result }) => result));
    const next = begin(queue, 1);
    next.finish();
    expect(await next.result).toBe('answer');
  });

  it('has its capacity back after work that has failed', async () => {
    const queue = createSearchQueue({ maxRunning: 1, maxWaitMs: 60_000 });
    await expect(queue.run(1, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await queue.run(1, () => Promise.resolve('answer'))).toBe('answer');
  });
});
