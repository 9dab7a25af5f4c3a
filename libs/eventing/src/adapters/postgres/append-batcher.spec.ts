import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tapedeck/kernel';
import type { AppendResult } from '../../event-store.ts';
import { toStorableAppend, type StorableAppend } from '../../store/storable.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { createAppendBatcher, type AppendBatcher } from './append-batcher.ts';
import { defaultLimits, type BatchLimits } from './append-queue.ts';

type Batch = readonly StorableAppend[];

const append = (stream: string, text = ''): StorableAppend =>
  toStorableAppend(stream, 'ANY', [sampleEvent('Noted', { text })]);

const appended = (version: number): AppendResult => ({ outcome: 'appended', version, position: 1n });

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A batcher over a sender that answers when it is told to. */
const batching = (limits: Partial<BatchLimits> = {}) => {
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
  const batcher = createAppendBatcher({ send, isTransient }, { ...defaultLimits, ...limits }, systemClock);
  const answerAll = async (): Promise<void> => {
    for (let answered = 0; batcher.waiting() > 0;) {
      for (; answered < batches.length; answered++) batches[answered]?.answer();
      await tick();
    }
  };
  return { batcher, batches, answerAll, streams: () => batches.map(({ streams }) => streams.join('')) };
};

const sendAll = (batcher: AppendBatcher, names: string): Promise<readonly AppendResult[]> =>
  Promise.all([...names].map((name) => batcher.append(append(name))));

describe('sending appends together', () => {
  it('takes along who is there when a batch starts, sorted by stream, and answers each', async () => {
    const { batcher, answerAll, streams } = batching();
    const results = sendAll(batcher, 'cab');
    await answerAll();
    expect(streams()).toEqual(['abc']);
    expect(await results).toEqual([appended(3), appended(1), appended(2)]);
  });

  it('keeps later appends of a stream in their order, one a batch', async () => {
    const { batcher, batches, answerAll, streams } = batching({ inFlight: 1 });
    const order: string[] = [];
    const first = ['1', '2', '3'].map((text) =>
      batcher.append(append('a', text)).then(() => order.push(text)),
    );
    const other = batcher.append(append('b'));
    await tick();
    expect(streams()).toEqual(['ab']);
    batches[0]?.answer();
    await answerAll();
    await Promise.all([...first, other]);
    expect(streams()).toEqual(['ab', 'a', 'a']);
    expect(order).toEqual(['1', '2', '3']);
  });

  it('has no more batches under way than allowed, and none larger', async () => {
    const { batcher, batches, answerAll, streams } = batching({ inFlight: 2, appends: 2 });
    const results = sendAll(batcher, 'abcdefg');
    await tick();
    expect(streams()).toEqual(['ab', 'cd']);
    batches[1]?.answer();
    await tick();
    await tick();
    expect(streams()).toEqual(['ab', 'cd', 'ef']);
    await answerAll();
    await results;
    expect(streams()).toEqual(['ab', 'cd', 'ef', 'g']);
  });

  it('parts batches by size, and still sends what is larger than a batch', async () => {
    const { batcher, answerAll, streams } = batching({ inFlight: 1, bytes: 2_000 });
    const large = 'x'.repeat(1_500);
    const results = Promise.all(['a', 'b', 'c'].map((name) => batcher.append(append(name, large))));
    await answerAll();
    await results;
    expect(streams()).toEqual(['a', 'b', 'c']);
  });

  it('sends a failed batch again one by one: a bad append hurts only itself', async () => {
    const sent: string[] = [];
    const send = async (appends: Batch): Promise<readonly AppendResult[]> => {
      sent.push(appends.map(({ stream }) => stream).join(''));
      if (appends.some(({ stream }) => stream === 'b')) throw new Error('refused');
      return appends.map(() => appended(1));
    };
    const batcher = createAppendBatcher({ send, isTransient: () => false }, defaultLimits, systemClock);
    const results = await Promise.allSettled([...'abc'].map((name) => batcher.append(append(name))));
    expect(sent).toEqual(['abc', 'a', 'b', 'c']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batcher.waiting()).toBe(0);
  });

  it('tries again while the connection is lost, and gives up with a clear error', async () => {
    let failures = 3;
    const send = async (appends: Batch): Promise<readonly AppendResult[]> => {
      if (failures-- > 0) throw new Error('connection lost');
      return appends.map(() => appended(1));
    };
    const isTransient = (): boolean => true;
    const patient = createAppendBatcher({ send, isTransient }, defaultLimits, systemClock);
    expect(await sendAll(patient, 'ab')).toEqual([appended(1), appended(1)]);
    failures = Number.POSITIVE_INFINITY;
    const hasty = createAppendBatcher({ send, isTransient }, { ...defaultLimits, patience: 30 }, systemClock);
    await expect(hasty.append(append('a'))).rejects.toMatchObject({
      code: 'TAPE_UNAVAILABLE',
      kind: 'unavailable',
    });
  });

  it('refuses when too many wait, by number and by size, and takes more once they are through', async () => {
    const { batcher, answerAll } = batching({ waiting: 3, waitingBytes: 5_000 });
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

  it('answers everything it has accepted before it is closed, and takes nothing more', async () => {
    const { batcher, answerAll } = batching({ inFlight: 1, appends: 1 });
    const results = sendAll(batcher, 'aab');
    const closed: string[] = [];
    const closing = batcher.close().then(() => closed.push('closed'));
    await expect(batcher.append(append('c'))).rejects.toMatchObject({ code: 'TAPE_CLOSED' });
    await tick();
    expect(closed).toEqual([]);
    await answerAll();
    await closing;
    expect(await results).toHaveLength(3);
    await batcher.close();
  });
});
