import { afterEach, describe, expect, it } from '@jest/globals';
import type { Actor, EventStore, RecordedEvent } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { DomainError, fixedClock, newId } from '@tapedeck/kernel';
import { importId, type ImportId } from '../domain/ids.ts';
import { strategyEvents } from '../events.ts';
import { strategyImportStream } from '../domain/strategy-import.ts';
import { strategyStream } from '../domain/strategy.ts';
import { withFile } from '../testing/zip-outcomes.ts';
import { writeZip, type WrittenEntry } from '../testing/zip-writer.ts';
import { importArchive } from './import-archive.ts';
import type { ImportProgress } from './import-records.ts';
import type { ImportReport } from './import-report.ts';

const actor: Actor = { id: 'tester', kind: 'system' };
const clock = fixedClock(Date.UTC(2026, 10, 21));
let store: EventStore = createMemoryEventStore({ types: strategyEvents });

afterEach(() => {
  store = createMemoryEventStore({ types: strategyEvents });
});

const urlIdAt = (index: number): string => `s${String(index).padStart(7, '0')}`;
const json = (urlId: string, fields: object = {}): string =>
  JSON.stringify({ url_id: urlId, title: `Title of ${urlId}`, ...fields });
const entryOf = (index: number, fields?: object): WrittenEntry => ({
  name: `strategies/${urlIdAt(index)}.json`,
  data: json(urlIdAt(index), fields),
});
const entries = (count: number, fields?: object): readonly WrittenEntry[] =>
  Array.from({ length: count }, (_, index) => entryOf(index, fields));

type Extra = Partial<Parameters<typeof importArchive>[0]>;
const importZip = async (
  zip: readonly WrittenEntry[] | Buffer,
  id: ImportId = importId(newId()),
  extra: Extra = {},
): Promise<ImportReport> =>
  withFile('all.zip', Buffer.isBuffer(zip) ? zip : writeZip(zip), (path) =>
    importArchive({ path, importId: id, store, actor, clock, ...extra }),
  );

const streamOf = (urlId: string): Promise<readonly RecordedEvent[]> =>
  store.readStream(strategyStream(urlId));
const typesOf = (events: readonly RecordedEvent[]): readonly string[] => events.map(({ type }) => type);
const importEvents = (id: ImportId): Promise<readonly RecordedEvent[]> =>
  store.readStream(strategyImportStream(id));

describe('importArchive', () => {
  it('adds new strategies, revises changed ones and leaves equal ones unchanged', async () => {
    expect(await importZip(entries(150))).toMatchObject({
      added: 150,
      revised: 0,
      unchanged: 0,
      rejected: 0,
    });
    const head = await store.head();
    expect(await importZip(entries(150))).toMatchObject({
      added: 0,
      revised: 0,
      unchanged: 150,
      rejected: 0,
    });
    const { events } = await store.readTape({ after: head, limit: 100 });
    expect(typesOf(events)).toEqual(['ImportRequested', 'ImportCompleted']);
    const changed = [...entries(150).slice(1), entryOf(0, { likes: 5 }), entryOf(150)];
    expect(await importZip(changed)).toMatchObject({ added: 1, revised: 1, unchanged: 149, rejected: 0 });
    expect(typesOf(await streamOf(urlIdAt(0)))).toEqual(['StrategyImported', 'StrategyRevised']);
  });

  it('writes a stream of its own, whose first event is the cause of all others', async () => {
    const id = importId(newId());
    const report = await importZip([entryOf(0), { name: 'x.json', data: '{' }], id);
    const events = await importEvents(id);
    expect(typesOf(events)).toEqual(['ImportRequested', 'ImportEntryRejected', 'ImportCompleted']);
    expect(events[0]?.data).toMatchObject({
      source: { kind: 'archive', name: 'all.zip', size: expect.any(Number) },
    });
    expect(events.at(-1)?.data).toEqual({
      importId: id,
      added: 1,
      revised: 0,
      unchanged: 0,
      rejected: 1,
      duplicates: [],
      duplicateCount: 0,
    });
    expect(report.position).toBe(events.at(-1)?.position);
    const [strategy] = await streamOf(urlIdAt(0));
    expect(strategy?.metadata).toMatchObject({
      actorId: 'tester',
      correlationId: id,
      causationId: events[0]?.id,
    });
  });

  it('reports its progress', async () => {
    const seen: ImportProgress[] = [];
    await importZip([...entries(200), { name: 'x.json', data: '{' }], undefined, {
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(seen.at(-1)).toMatchObject({ done: 201, total: 201, added: 200, rejected: 1 });
  });

  it('imports arrays and lines beside single records', async () => {
    const list = `[${json(urlIdAt(1))},${json(urlIdAt(2))}]`;
    const lines = `${json(urlIdAt(3))}\n${json(urlIdAt(4))}\n`;
    const report = await importZip([
      entryOf(0),
      { name: 'list.json', data: list },
      { name: 'lines.ndjson', data: lines },
      { name: '__MACOSX/._list.json', data: 'junk' },
      { name: '.DS_Store', data: 'junk' },
      { name: 'strategies/', data: '', method: 0 },
    ]);
    expect(report).toMatchObject({ added: 5, rejected: 0 });
  });
});

describe('importArchive with bad entries', () => {
  it('names them in the report and imports the others', async () => {
    const report = await importZip([
      entryOf(0),
      { name: 'broken.json', data: '{"url_id":' },
      { name: '../slip.json', data: json(urlIdAt(1)) },
      { name: 'liar.json', data: json(urlIdAt(2)), size: 3, local: { size: 3 } },
      { name: 'notes.txt', data: 'notes' },
      { name: 'inner.zip', data: 'PK' },
      { name: 'bad.json', data: json('nope') },
      { name: 'untitled.json', data: json(urlIdAt(3), { title: '' }) },
      { name: 'nul.json', data: json(urlIdAt(4), { pine_script: 'a\u0000' }) },
      { name: 'checksum.json', data: json(urlIdAt(5)), checksum: 7 },
      { name: 'list.json', data: `[${json(urlIdAt(6))},{}]` },
      entryOf(7),
    ]);
    expect(report).toMatchObject({ added: 3, rejected: 10, failure: null });
    expect(new Map(report.rejections.map(({ entry, code }) => [entry, code]))).toEqual(
      new Map([
        ['broken.json', 'NOT_JSON'],
        ['../slip.json', 'ENTRY_NAME'],
        ['liar.json', 'ENTRY_SIZE_WRONG'],
        ['notes.txt', 'NOT_A_JSON_FILE'],
        ['inner.zip', 'NESTED_ARCHIVE'],
        ['bad.json', 'BAD_URL_ID'],
        ['untitled.json', 'MISSING_TITLE'],
        ['nul.json', 'TEXT_NOT_STORABLE'],
        ['checksum.json', 'ENTRY_CHECKSUM'],
        ['list.json item 2', 'MISSING_URL_ID'],
      ]),
    );
  });

  it('counts all of them and names a thousand', async () => {
    const lines = '{}\n'.repeat(2_500);
    const report = await importZip([{ name: 'lines.ndjson', data: lines }, entryOf(0)]);
    expect(report).toMatchObject({ added: 1, rejected: 2_500 });
    expect(report.rejections).toHaveLength(1_000);
  });

  it('fails when there are more than 20,000', async () => {
    const report = await importZip([
      entryOf(0),
      { name: 'lines.ndjson', data: '1\n'.repeat(20_001), method: 0 },
    ]);
    expect(report).toMatchObject({ failure: { code: 'TOO_MANY_REJECTIONS' } });
  });

  it('rejects a strategy that was withdrawn', async () => {
    await importZip(entries(2));
    const [first] = await streamOf(urlIdAt(0));
    if (!first) throw new Error('It was not imported.');
    await store.append(strategyStream(urlIdAt(0)), 1, [
      {
        ...first,
        id: newId() as typeof first.id,
        type: 'StrategyWithdrawn',
        data: { urlId: urlIdAt(0), reason: 'wish of its author' },
      },
    ]);
    const report = await importZip(entries(2));
    expect(report).toMatchObject({ unchanged: 1, rejected: 1 });
    expect(report.rejections[0]).toMatchObject({ code: 'STRATEGY_WITHDRAWN', urlId: urlIdAt(0) });
  });
});

describe('importArchive with a duplicate url_id', () => {
  it('imports the last entry and names the others in the report', async () => {
    const twice = [
      { name: 'a.json', data: json('S3LKflwr', { likes: 1 }) },
      { name: 'b.json', data: json('S3LKflwr', { likes: 2 }) },
      { name: 'c.json', data: json('s3lkflwr') },
      { name: 'd.ndjson', data: `${json('S3LKflwr', { likes: 3 })}\n${json('S3LKflwr', { likes: 4 })}` },
    ];
    const report = await importZip(twice);
    expect(report).toMatchObject({ added: 2, revised: 0, rejected: 0, duplicateCount: 1 });
    expect(report.duplicates).toEqual([
      { urlId: 'S3LKflwr', kept: 'd.ndjson line 2', dropped: ['d.ndjson line 1', 'b.json', 'a.json'] },
    ]);
    const [event, ...rest] = await streamOf('S3LKflwr');
    expect(rest).toEqual([]);
    expect(event?.data).toMatchObject({ record: { likes: 4 } });
    expect(await importZip(twice)).toMatchObject({ added: 0, revised: 0, unchanged: 2 });
  });
});

describe('importArchive with a bad archive', () => {
  it.each<[code: string, bytes: Buffer]>([
    ['NOT_A_ZIP', Buffer.from('no zip')],
    ['NOT_A_ZIP', Buffer.alloc(0)],
    ['ZIP_EMPTY', writeZip([])],
    ['ZIP_EMPTY', writeZip([{ name: '__MACOSX/x.json', data: '' }])],
    ['ZIP_BROKEN', writeZip([entryOf(0)], { directoryStart: 1 })],
  ])('records the failure %s in the stream of the import', async (code, bytes) => {
    const id = importId(newId());
    expect(await importZip(bytes, id)).toMatchObject({ added: 0, failure: { code } });
    expect(typesOf(await importEvents(id))).toEqual(['ImportRequested', 'ImportFailed']);
  });

  it('does not start an import when the file cannot be read', async () => {
    const path = '/nowhere/all.zip';
    const id = importId(newId());
    const result = importArchive({ path, importId: id, store, actor, clock });
    await expect(result).rejects.toMatchObject({ code: 'FILE_NOT_READABLE' });
    expect(await importEvents(id)).toEqual([]);
  });
});

describe('an interrupted import', () => {
  const storeFailingAfter = (appends: number): EventStore => {
    let left = appends;
    return {
      ...store,
      append: async (...append) => {
        if (left-- <= 0) throw new DomainError('unavailable', 'TAPE_UNAVAILABLE', 'The store failed.');
        return store.append(...append);
      },
    };
  };

  it.each([0, 1, 7, 130, 151])(
    'resumes after %d appends with the same result as without interruption',
    async (appends) => {
      const id = importId(newId());
      const zip = [...entries(150), { name: 'x.json', data: '{' }];
      const interrupted = importZip(zip, id, { store: storeFailingAfter(appends) });
      await expect(interrupted).rejects.toMatchObject({ code: 'TAPE_UNAVAILABLE' });
      expect(await importZip(zip, id)).toMatchObject({ added: 150, revised: 0, unchanged: 0, rejected: 1 });
      expect(typesOf(await importEvents(id))).toEqual([
        'ImportRequested',
        'ImportEntryRejected',
        'ImportCompleted',
      ]);
      for (const index of [0, 75, 149]) expect(await streamOf(urlIdAt(index))).toHaveLength(1);
    },
  );

  it('reports revisions of its first run as revisions', async () => {
    await importZip(entries(10));
    const id = importId(newId());
    await expect(importZip(entries(10, { likes: 1 }), id, { store: storeFailingAfter(4) })).rejects.toThrow(
      'failed',
    );
    expect(await importZip(entries(10, { likes: 1 }), id)).toMatchObject({
      added: 0,
      revised: 10,
      unchanged: 0,
    });
  });

  it('returns the same report again after it was completed', async () => {
    const id = importId(newId());
    const zip = [...entries(3), { name: 'x.json', data: '{' }];
    const report = await importZip(zip, id);
    const head = await store.head();
    expect(await importZip(zip, id)).toEqual(report);
    expect(await store.head()).toBe(head);
  });

  it('rejects another file under its id', async () => {
    const id = importId(newId());
    await importZip(entries(3), id);
    await expect(importZip(entries(4), id)).rejects.toMatchObject({ code: 'IMPORT_ID_REUSED' });
  });

  it('ends when it is cancelled', async () => {
    const id = importId(newId());
    const cancel = new AbortController();
    const report = await importZip(entries(600), id, {
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    expect(report).toMatchObject({ failure: { code: 'IMPORT_CANCELLED' } });
    expect(report.added).toBeGreaterThan(0);
    expect(report.added).toBeLessThan(600);
    await expect(importZip(entries(600), id)).rejects.toMatchObject({ code: 'IMPORT_ENDED' });
  });
});

describe('two concurrent imports', () => {
  it('add each strategy once when they import the same file', async () => {
    const reports = await Promise.all([importZip(entries(100)), importZip(entries(100))]);
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(100);
    expect(reports.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(100);
  });

  it('act as one when they have the same id', async () => {
    const id = importId(newId());
    await Promise.all([importZip(entries(100), id), importZip(entries(100), id)]);
    expect(await streamOf(urlIdAt(5))).toHaveLength(1);
    expect(typesOf(await importEvents(id))).toEqual(['ImportRequested', 'ImportCompleted']);
  });
});
