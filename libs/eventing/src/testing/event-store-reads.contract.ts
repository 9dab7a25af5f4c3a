import { describe, expect, it } from '@jest/globals';
import type { TapePage } from '../event-store.ts';
import { newStream, numbered, settled, type ContractContext } from './contract-context.ts';
import { sampleEvent } from './sample-events.ts';

/** Streams, the tape in order, and following it. */
export const readsContract = ({ store, appendSome }: ContractContext): void => {
  describe('reading', () => {
    it('reads a stream from a version on, and nothing of an unknown one', async () => {
      const name = newStream();
      await appendSome(name, 5);
      expect((await store().readStream(name, { from: 4 })).map((event) => event.data['n'])).toEqual([4, 5]);
      expect(await store().readStream(name, { from: 6 })).toEqual([]);
      expect(await store().readStream(name, { from: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(await store().readStream(newStream())).toEqual([]);
    });

    it('reads several streams at once, each in order', async () => {
      const [a, b, none] = [newStream(), newStream(), newStream()];
      await appendSome(a, 3);
      await appendSome(b, 2);
      await appendSome(a, 1);
      const found = await store().readStreams([b, a, none, a]);
      expect(new Set(found.keys())).toEqual(new Set([a, b]));
      expect(found.get(a)?.map((event) => event.version)).toEqual([1, 2, 3, 4]);
      expect(found.get(b)?.map((event) => event.version)).toEqual([1, 2]);
      expect((await store().readStreams([])).size).toBe(0);
    });

    it('pages through the tape in order, without gap or repetition, whatever the page size', async () => {
      const name = newStream();
      for (let n = 0; n < 7; n++) await appendSome(name, 3);
      await settled(store(), (await store().readStream(name)).at(-1)?.position ?? 0n);
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

    it('reads only some types, and moves over the others', async () => {
      const name = newStream();
      const before = await store().head();
      await store().append(name, 'ANY', [
        ...numbered(5),
        sampleEvent('Noted', { mark: name }),
        ...numbered(5),
      ]);
      const last = (await store().readStream(name)).at(-1)?.position ?? 0n;
      await settled(store(), last);
      const page = await store().readTape({ after: before, limit: 100, types: ['Noted'] });
      expect(page.events.map((event) => event.data['mark'])).toEqual([name]);
      expect(page.position).toBe(last);
      expect(page.head).toBe(last);
      const none = await store().readTape({ after: before, limit: 100, types: [] });
      expect(none).toEqual({ events: [], position: last, head: last });
    });

    it('stays where it is at the end', async () => {
      const head = await store().head();
      expect(await store().readTape({ after: head, limit: 10 })).toEqual({
        events: [],
        position: head,
        head,
      });
      expect((await store().readTape({ after: head + 10n, limit: 10 })).position).toBe(head + 10n);
    });
  });

  describe('following', () => {
    it('hands out what is there, then what comes, in order and once', async () => {
      const name = newStream();
      const after = await store().head();
      await appendSome(name, 3);
      const stop = new AbortController();
      const seen: number[] = [];
      for await (const page of store().follow({ after, batchSize: 2, signal: stop.signal })) {
        for (const event of page.events) if (event.stream === name) seen.push(event.version);
        if (seen.length === 3) void store().append(name, 3, numbered(4));
        if (seen.length === 7) stop.abort();
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it('ends soon after its signal, also while it waits', async () => {
      const stop = new AbortController();
      const after = await store().head();
      const ended = (async () => {
        for await (const page of store().follow({ after, batchSize: 10, signal: stop.signal })) {
          expect(page.position).toBeGreaterThan(after);
        }
      })();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      const asked = performance.now();
      stop.abort();
      await ended;
      expect(performance.now() - asked).toBeLessThan(200);
      const never = store().follow({ after: 0n, batchSize: 10, signal: stop.signal })[Symbol.asyncIterator]();
      expect(await never.next()).toEqual({ done: true, value: undefined });
    });
  });
};
