import { describe, expect, it } from '@jest/globals';
import type { TapePage } from '../event-store.ts';
import {
  countedEvents,
  errorCodeOf,
  newStream,
  waitForHead,
  type ContractContext,
} from './contract-context.ts';
import { sampleEvent } from './sample-events.ts';

/** Reading streams, reading the tape and following it. */
export const readsContract = ({ store, appendCounted }: ContractContext): void => {
  describe('a read', () => {
    it('of a stream starts at the given version, and is empty for an unknown stream', async () => {
      const name = newStream();
      await appendCounted(name, 5);
      expect((await store().readStream(name, { from: 4 })).map((event) => event.data['n'])).toEqual([4, 5]);
      expect(await store().readStream(name, { from: 6 })).toEqual([]);
      expect((await store().readStream(name, { from: 2, upTo: 3 })).map(({ version }) => version)).toEqual([
        2, 3,
      ]);
      expect(await store().readStream(name, { from: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(await store().readStream(newStream())).toEqual([]);
    });

    it('of several streams returns each in order', async () => {
      const [a, b, unknown] = [newStream(), newStream(), newStream()];
      await appendCounted(a, 3);
      await appendCounted(b, 2);
      await appendCounted(a, 1);
      const found = await store().readStreams([b, a, unknown, a]);
      expect(new Set(found.keys())).toEqual(new Set([a, b]));
      expect(found.get(a)?.map((event) => event.version)).toEqual([1, 2, 3, 4]);
      expect(found.get(b)?.map((event) => event.version)).toEqual([1, 2]);
      expect((await store().readStreams([])).size).toBe(0);
    });

    it('of a position returns its event as it was written, and nothing where there is none', async () => {
      const name = newStream();
      await appendCounted(name, 2);
      const [, last] = await store().readStream(name, { form: 'stored' });
      expect(last && (await store().readEvent(last.position))).toEqual(last);
      expect(await store().readEvent(0n)).toBeUndefined();
      expect(await store().readEvent(1_000_000_000n)).toBeUndefined();
    });

    it('of the tape in pages of any size returns every event once, in order', async () => {
      const name = newStream();
      for (let n = 0; n < 7; n++) await appendCounted(name, 3);
      await waitForHead(store(), (await store().readStream(name)).at(-1)?.position ?? 0n);
      const collect = async (limit: number): Promise<readonly bigint[]> => {
        const positions: bigint[] = [];
        let page: TapePage = { events: [], position: 0n, head: 1n };
        while (page.position < page.head) {
          page = await store().readTape({ after: page.position, limit });
          expect(page.events.length).toBeLessThanOrEqual(limit);
          positions.push(...page.events.map((event) => event.position));
        }
        return positions;
      };
      const whole = await collect(10_000);
      expect(whole).toEqual([...whole].sort((a, b) => (a < b ? -1 : 1)));
      expect(await collect(1)).toEqual(whole);
      expect(await collect(7)).toEqual(whole);
    });

    it('of some event types passes over the others', async () => {
      const name = newStream();
      const before = await store().head();
      await store().append(name, 'ANY', [
        ...countedEvents(5),
        sampleEvent('Noted', { mark: name }),
        ...countedEvents(5),
      ]);
      const last = (await store().readStream(name)).at(-1)?.position ?? 0n;
      await waitForHead(store(), last);
      const page = await store().readTape({ after: before, limit: 100, types: ['Noted'] });
      expect(page.events.map((event) => event.data['mark'])).toEqual([name]);
      expect(page.position).toBe(last);
      expect(page.head).toBe(last);
      const none = await store().readTape({ after: before, limit: 100, types: [] });
      expect(none).toEqual({ events: [], position: last, head: last });
    });

    it('at the end of the tape returns no events and the same position', async () => {
      const head = await store().head();
      expect(await store().readTape({ after: head, limit: 10 })).toEqual({
        events: [],
        position: head,
        head,
      });
    });
  });

  describe('follow', () => {
    it('yields existing events and then new ones, in order and once', async () => {
      const name = newStream();
      const after = await store().head();
      await appendCounted(name, 3);
      const stop = new AbortController();
      const seen: number[] = [];
      for await (const page of store().follow({ after, batchSize: 2, signal: stop.signal })) {
        for (const event of page.events) if (event.stream === name) seen.push(event.version);
        if (seen.length === 3) void store().append(name, 3, countedEvents(4));
        if (seen.length === 7) stop.abort();
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it('ends with TAPE_CHANGED for a reader of another tape, which has events beyond the end of this one', async () => {
      await appendCounted(newStream(), 1);
      const after = Number.MAX_SAFE_INTEGER;
      const signal = new AbortController().signal;
      const pages = store().follow({ after: BigInt(after), batchSize: 10, signal });
      expect(await errorCodeOf(pages[Symbol.asyncIterator]().next())).toBe('TAPE_CHANGED');
    });

    it('ends when its signal is aborted, also while it waits', async () => {
      const stop = new AbortController();
      const after = await store().head();
      const ended = (async () => {
        for await (const page of store().follow({ after, batchSize: 10, signal: stop.signal })) {
          expect(page.position).toBeGreaterThan(after);
        }
      })();
      for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
      const abortedAt = performance.now();
      stop.abort();
      await ended;
      expect(performance.now() - abortedAt).toBeLessThan(5_000);
      const afterAbort = store().follow({ after: 0n, batchSize: 10, signal: stop.signal });
      expect(await afterAbort[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
    });
  });
};
