import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore, TapePage } from '../../event-store.ts';
import { appendBySql } from '../../testing/open-appends.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const maxPageBytes = 10_000;
/** One event is larger than a page. */
const sizes = [100, 4_000, 4_000, 4_000, 100, 50_000, 100, 9_000, 100, 100, 100, 100];

describe('a page of the tape', () => {
  let database: TestDatabase;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    const types = { Counted: { version: 1 }, Noted: { version: 1 } };
    store = createPostgresEventStore({ pool: database.pool, types, maxPageBytes });
    for (const size of sizes) {
      await store.append('a', 'ANY', [sampleEvent('Counted', { text: 'x'.repeat(size) })]);
      await store.append('a', 'ANY', [sampleEvent('Noted')]);
      // As an event that was written before the sizes of events were stored.
      await appendBySql(database.pool, 'a');
    }
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const readAll = async (types?: readonly string[]): Promise<readonly TapePage[]> => {
    const pages: TapePage[] = [];
    for (let page: TapePage = { events: [], position: 0n, head: 1n }; page.position < page.head;) {
      page = await store.readTape({ after: page.position, limit: 1_000, ...(types ? { types } : {}) });
      pages.push(page);
    }
    return pages;
  };
  const bytesOf = ({ events }: TapePage): number =>
    events.reduce((sum, { data, metadata }) => sum + JSON.stringify([data, metadata]).length, 0);

  it.each([undefined, ['Counted'], ['Noted']])(
    'ends with the event that reaches its number of bytes, and no event is omitted (types %p)',
    async (types) => {
      const pages = await readAll(types);
      const events = pages.flatMap((page) => page.events);
      const { rows } = await database.pool.query<{ position: string }>(
        'select position from tape_events where type = any($1) order by position',
        [types ?? ['Counted', 'Noted']],
      );
      expect(events.map(({ position }) => String(position))).toEqual(rows.map(({ position }) => position));
      for (const page of pages) {
        const withoutLast = { ...page, events: page.events.slice(0, -1) };
        expect(bytesOf(withoutLast)).toBeLessThan(maxPageBytes);
        if (page.position < page.head) expect(page.position).toBe(page.events.at(-1)?.position);
      }
      expect(pages.length).toBeGreaterThan(types?.includes('Noted') ? 0 : 3);
    },
  );

  it('has at most as many events as its limit', async () => {
    const page = await store.readTape({ after: 0n, limit: 2 });
    expect(page.events).toHaveLength(2);
    expect(page.position).toBe(page.events[1]?.position);
  });
});
