import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TapePage } from '../../event-store.ts';
import type { Position, RecordedEvent } from '../../event.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { checkAsyncProperty } from '../../testing/property.ts';
import { createRecentEvents, type SizedPage } from './recent-events.ts';
import type { Mark } from './settled-mark.ts';

const types = ['Counted', 'Noted', 'Opened'] as const;

/** Events at every third position, of each type in turn. */
const sampleEvents = (count: number): readonly RecordedEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    ...sampleEvent(types[index % types.length] ?? types[0]),
    stream: 'sample',
    version: index + 1,
    position: BigInt(index * 3 + 3),
    recordedAt: '2026-11-22T12:00:00.000Z',
  }));

const markAt = (event: RecordedEvent | undefined, server = 'one'): Mark => {
  const position = event?.position ?? 0n;
  return { position, end: position, server };
};

/** A tape that ends its pages after a number of events, and counts how often it is read. */
const sampleTape = (events: readonly RecordedEvent[], pageLength: number) => {
  const reads: Position[] = [];
  const read = async (
    after: Position,
    { position: head }: Mark,
    wanted?: readonly string[],
  ): Promise<SizedPage> => {
    reads.push(after);
    await Promise.resolve();
    const found = events
      .filter(
        ({ position, type }) => position > after && position <= head && (wanted?.includes(type) ?? true),
      )
      .slice(0, pageLength);
    const isWhole = found.length < pageLength;
    const position = isWhole ? head : (found.at(-1)?.position ?? head);
    return { events: found, position, head, characters: found.length * 10 };
  };
  return { reads, read };
};

const limits = { maxEvents: 20, maxCharacters: 150 };

describe('recent events', () => {
  it('give every follower all events of its types once and in order, whatever the others do', async () => {
    const follower = fc.record({
      types: fc.option(fc.subarray([...types], { minLength: 1 }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 30 }),
      /** It asks for a page in one of so many rounds. */
      pace: fc.integer({ min: 1, max: 9 }),
    });
    await checkAsyncProperty(
      fc.asyncProperty(
        fc.array(follower, { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 5, maxLength: 30 }),
        fc.integer({ min: 1, max: 25 }),
        async (followers, growth, pageLength) => {
          const events = sampleEvents(growth.reduce((sum, one) => sum + one, 0));
          const { read } = sampleTape(events, pageLength);
          const recent = createRecentEvents({ ...limits, read });
          const progress = followers.map((one) => ({ ...one, after: 0n, got: [] as Position[] }));
          const step = async (one: (typeof progress)[number], mark: Mark): Promise<void> => {
            if (mark.position <= one.after) return;
            const options = {
              after: one.after,
              limit: one.limit,
              ...(one.types ? { types: one.types } : {}),
            };
            let page: TapePage | undefined = await recent.page(options, mark);
            if (!page) {
              const rest = events.filter(({ position }) => position > one.after && position <= mark.position);
              const own = rest.filter(({ type }) => !one.types || one.types.includes(type as 'Noted'));
              const found = own.slice(0, one.limit);
              const end = found.length === one.limit ? found.at(-1) : rest.at(-1);
              page = { events: found, position: end?.position ?? 0n, head: mark.position };
            }
            expect(page.position).toBeGreaterThan(one.after);
            expect(page.head).toBeGreaterThanOrEqual(page.position);
            one.got.push(...page.events.map(({ position }) => position));
            one.after = page.position;
          };
          let length = 0;
          for (const [round, more] of growth.entries()) {
            length += more;
            const mark = markAt(events[length - 1]);
            await Promise.all(
              progress.filter(({ pace }) => round % pace === 0).map((one) => step(one, mark)),
            );
          }
          const mark = markAt(events.at(-1));
          for (const one of progress) {
            while (one.after < mark.position) await step(one, mark);
            const own = events.filter(({ type }) => !one.types || one.types.includes(type as 'Noted'));
            expect(one.got).toEqual(own.map(({ position }) => position));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are read once for all followers that ask at the same time', async () => {
    const events = sampleEvents(6);
    const { read, reads } = sampleTape(events, 100);
    const recent = createRecentEvents({ ...limits, read });
    const mark = markAt(events.at(-1));
    const ask = (type: string): Promise<TapePage | undefined> =>
      recent.page({ after: 0n, limit: 100, types: [type] }, mark);
    const pages = await Promise.all(['Counted', 'Noted', 'Opened', 'Counted'].map(ask));
    expect(pages.map((page) => page?.events.length)).toEqual([2, 2, 2, 2]);
    expect(reads).toEqual([0n]);
  });

  it('are read without the events of types that no follower asks for', async () => {
    const events = sampleEvents(6);
    const { read } = sampleTape(events, 100);
    const readTypes: (readonly string[] | undefined)[] = [];
    const recent = createRecentEvents({
      ...limits,
      read: (after, mark, wanted) => {
        readTypes.push(wanted);
        return read(after, mark, wanted);
      },
    });
    const mark = markAt(events.at(-1));
    const ask = async (...asked: readonly string[]): Promise<number | undefined> =>
      (await recent.page({ after: 0n, limit: 100, types: asked }, mark))?.events.length;
    expect([await ask('Noted'), await ask('Noted', 'Opened'), await ask('Noted')]).toEqual([2, 4, 2]);
    expect(readTypes).toEqual([['Noted'], ['Noted', 'Opened']]);
  });

  it('cost the same for each page, however many were read before', async () => {
    const events = sampleEvents(1_000);
    const { read } = sampleTape(events, 100);
    let looks = 0;
    const recent = createRecentEvents({
      maxEvents: 10_000,
      maxCharacters: 1 << 20,
      read: async (...asked) => {
        const { events: found, ...page } = await read(...asked);
        return Object.defineProperty({ ...page, events: found }, 'events', {
          get: () => {
            looks++;
            return found;
          },
        });
      },
    });
    const looksIn = async (from: number, to: number): Promise<number> => {
      const before = looks;
      for (const [index, { position }] of events.slice(from, to).entries()) {
        const after = events[from + index - 1]?.position ?? 0n;
        // Two of three pages are empty.
        await recent.page(
          { after, limit: 100, types: ['Noted'] },
          { position, end: position, server: 'one' },
        );
      }
      return looks - before;
    };
    const first = await looksIn(0, 300);
    expect(await looksIn(300, 600)).toBeLessThanOrEqual(first + 10);
  });

  it('leave a follower that is far behind to read by itself', async () => {
    const events = sampleEvents(100);
    const { read, reads } = sampleTape(events, 100);
    const recent = createRecentEvents({ ...limits, read });
    const mark = markAt(events.at(-1));
    expect(await recent.page({ after: 0n, limit: 100 }, mark)).toBeUndefined();
    expect(reads).toEqual([]);
    const near = mark.position - 6n;
    expect((await recent.page({ after: near, limit: 100 }, mark))?.events).toHaveLength(2);
    expect(await recent.page({ after: near - 3n, limit: 100 }, mark)).toBeUndefined();
  });

  it('are forgotten when the server is another one, and after a failed read', async () => {
    const events = sampleEvents(4);
    const { read } = sampleTape(events, 100);
    let failures = 1;
    const recent = createRecentEvents({
      ...limits,
      read: (after, mark) => {
        if (failures-- > 0) throw new Error('the connection was lost');
        return read(after, mark);
      },
    });
    const last = events.at(-1);
    await expect(recent.page({ after: 0n, limit: 9 }, markAt(last))).rejects.toThrow('connection was lost');
    expect((await recent.page({ after: 0n, limit: 9 }, markAt(last)))?.events).toEqual(events);
    failures = 1;
    await expect(recent.page({ after: 0n, limit: 9 }, markAt(last, 'other'))).rejects.toThrow('lost');
    expect((await recent.page({ after: 0n, limit: 9 }, markAt(last, 'other')))?.events).toEqual(events);
  });
});
