import { describe, expect, it } from '@jest/globals';
import type { AppendResult } from '../../event-store.ts';
import { toStorableAppend, type StorableAppend } from '../../store/storable.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { createAppendBatcher, type AppendBatcher } from './append-batcher.ts';
import { defaultBatchLimits, type BatchLimits } from './append-queue.ts';
import { defaultTimeLimits } from './time-limits.ts';

const { appendMs } = defaultTimeLimits;

type Batch = readonly StorableAppend[];

const append = (stream: string, text = ''): StorableAppend =>
  toStorableAppend(stream, 'ANY', [sampleEvent('Noted', { text })]);

const appended = (version: number): AppendResult => ({ outcome: 'appended', version, position: 1n });

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A batcher whose sender answers or fails a batch when the test says so. */
const batcherWithManualSender = (limits: Partial<BatchLimits> = {}) => {
  const batches: { streams: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const send = (appends: Batch): Promise<readonly AppendResult[]> =>
    new Promise((resolve, reject) => {
      batches.push({
        streams: appends.map(({ stream }) => stream),
        answer: () => resolve(appends.map((_, index) => appended(index + 1))),
        fail: reject,
      });
    });
  const isTransient = (error: unknown): boolean => String(error).includes('lost');
  const batcher = createAppendBatcher(
    { send, isTransient, isUnknown: isTransient },
    { ...defaultBatchLimits, ...limits },
    appendMs,
  );
  const answerAll = async (): Promise<void> => {
    for (let answered = 0; batcher.waiting() > 0;) {
      for (; answered < batches.length; answered++) batches[answered]?.answer();
      await nextTick();
    }
  };
  return { batcher, batches, answerAll, streams: () => batches.map(({ streams }) => streams.join('')) };
};

const sendAll = (batcher: AppendBatcher, names: string): Promise<readonly AppendResult[]> =>
  Promise.all([...names].map((name) => batcher.append(append(name))));

describe('the append batcher', () => {
  it('sends all waiting appends in one batch, sorted by stream, and answers each', async () => {
    const { batcher, answerAll, streams } = batcherWithManualSender();
    const results = sendAll(batcher, 'cab');
    await answerAll();
    expect(streams()).toEqual(['abc']);
    expect(await results).toEqual([appended(3), appended(1), appended(2)]);
  });

  it('sends appends of one stream in order, one per batch', async () => {
    const { batcher, batches, answerAll, streams } = batcherWithManualSender({ maxBatchesInFlight: 1 });
    const order: string[] = [];
    const first = ['1', '2', '3'].map((text) =>
      batcher.append(append('a', text)).then(() => order.push(text)),
    );
    const other = batcher.append(append('b'));
    await nextTick();
    expect(streams()).toEqual(['ab']);
    batches[0]?.answer();
    await answerAll();
    await Promise.all([...first, other]);
    expect(streams()).toEqual(['ab', 'a', 'a']);
    expect(order).toEqual(['1', '2', '3']);
  });

  it('keeps the maximum number of batches in flight and of appends per batch', async () => {
    const { batcher, batches, answerAll, streams } = batcherWithManualSender({
      maxBatchesInFlight: 2,
      maxAppends: 2,
    });
    const results = sendAll(batcher, 'abcdefg');
    await nextTick();
    expect(streams()).toEqual(['ab', 'cd']);
    batches[1]?.answer();
    await nextTick();
    await nextTick();
    expect(streams()).toEqual(['ab', 'cd', 'ef']);
    await answerAll();
    await results;
    expect(streams()).toEqual(['ab', 'cd', 'ef', 'g']);
  });

  it('limits batches by size, and sends an append that is larger than that alone', async () => {
    const { batcher, answerAll, streams } = batcherWithManualSender({
      maxBatchesInFlight: 1,
      maxBytes: 2_000,
    });
    const large = 'x'.repeat(1_500);
    const results = Promise.all(['a', 'b', 'c'].map((name) => batcher.append(append(name, large))));
    await answerAll();
    await results;
    expect(streams()).toEqual(['a', 'b', 'c']);
  });

  it('sends the appends of a failed batch one by one, so that only the bad one fails', async () => {
    const sent: string[] = [];
    const send = async (appends: Batch): Promise<readonly AppendResult[]> => {
      sent.push(appends.map(({ stream }) => stream).join(''));
      if (appends.some(({ stream }) => stream === 'b')) throw new Error('refused');
      return appends.map(() => appended(1));
    };
    const batcher = createAppendBatcher(
      { send, isTransient: () => false, isUnknown: () => false },
      defaultBatchLimits,
      appendMs,
    );
    const results = await Promise.allSettled([...'abc'].map((name) => batcher.append(append(name))));
    expect(sent).toEqual(['abc', 'a', 'b', 'c']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batcher.waiting()).toBe(0);
  });

  it('retries while the connection is lost, and fails with TAPE_UNAVAILABLE after the retry time', async () => {
    let failures = 3;
    const send = async (appends: Batch): Promise<readonly AppendResult[]> => {
      if (failures-- > 0) throw new Error('connection lost');
      return appends.map(() => appended(1));
    };
    const isTransient = (): boolean => true;
    const patientBatcher = createAppendBatcher(
      { send, isTransient, isUnknown: isTransient },
      defaultBatchLimits,
      appendMs,
    );
    expect(await sendAll(patientBatcher, 'ab')).toEqual([appended(1), appended(1)]);
    failures = Number.POSITIVE_INFINITY;
    const hastyBatcher = createAppendBatcher(
      { send, isTransient, isUnknown: isTransient },
      defaultBatchLimits,
      30,
    );
    await expect(hastyBatcher.append(append('a'))).rejects.toMatchObject({
      code: 'TAPE_UNAVAILABLE',
      kind: 'unavailable',
    });
  });

  it('refuses appends while too many wait, by number and by size, and accepts them later', async () => {
    const { batcher, answerAll } = batcherWithManualSender({ maxWaitingAppends: 3, maxWaitingBytes: 5_000 });
    const accepted = sendAll(batcher, 'abc');
    await expect(batcher.append(append('d'))).rejects.toMatchObject({
      code: 'TAPE_OVERLOADED',
      kind: 'unavailable',
    });
    await answerAll();
    await accepted;
    const large = batcher.append(append('a', 'x'.repeat(6_000)));
    await expect(batcher.append(append('b'))).rejects.toMatchObject({ code: 'TAPE_OVERLOADED' });
    await answerAll();
    expect(await large).toEqual(appended(1));
  });

  it('refuses appends once it is closing, and closes when all accepted ones are answered', async () => {
    const { batcher, answerAll } = batcherWithManualSender({ maxBatchesInFlight: 1, maxAppends: 1 });
    const results = sendAll(batcher, 'aab');
    const closed: string[] = [];
    const closing = batcher.close().then(() => closed.push('closed'));
    await expect(batcher.append(append('c'))).rejects.toMatchObject({ code: 'TAPE_CLOSED' });
    await nextTick();
    expect(closed).toEqual([]);
    await answerAll();
    await closing;
    expect(await results).toHaveLength(3);
    await batcher.close();
  });
});
