import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { LastImports, strategyRoutes, UploadAccepted, type ImportStatus } from '../contract.ts';
import { strategyImportStream } from '../domain/strategy-import.ts';
import { strategyProjections } from '../projections.ts';
import { admin, adminHeaders, startUploadApi, type UploadApi } from '../testing/upload-api.ts';
import { writeZip, type WrittenEntry } from '../testing/zip-writer.ts';
import { storeUpload } from './store-upload.ts';

let api: UploadApi;
beforeAll(async () => {
  api = await startUploadApi();
});
afterAll(() => api.close());

const entry = (urlId: string, title: string): WrittenEntry => ({
  name: `${urlId}.json`,
  data: JSON.stringify({ url_id: urlId, title }),
});
const zipOf = (count: number, title: string): Buffer =>
  writeZip(
    Array.from({ length: count }, (_, n) => entry(`Up${String(n).padStart(6, '0')}`, `${title} ${n}`)),
  );
async function* arriving(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
const jobOf = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(202);
  return UploadAccepted.parse(await answer.json()).jobId;
};
/** Every status until the end. */
const followed = async (jobId: string): Promise<readonly ImportStatus[]> => {
  const seen: ImportStatus[] = [];
  await eventually(async () => {
    const status = await api.status(jobId);
    seen.push(status);
    expect(['complete', 'error']).toContain(status.phase);
  });
  return seen;
};
const importedBy = async (jobId: string): Promise<ImportStatus> => {
  const stop = api.startImporting();
  const last = (await followed(jobId)).at(-1);
  await stop();
  if (!last) throw new Error('There was no status.');
  return last;
};
const waiting = async (): Promise<number> =>
  Number((await api.databases.tapedeck.query('select from strategy_uploads')).rowCount);
const discard = (): Promise<unknown> => api.databases.tapedeck.query('delete from strategy_uploads');

describe('an uploaded ZIP file', () => {
  it('is imported as an act of the admin, with counts that never go down, and leaves no file behind', async () => {
    const answer = await api.send(
      writeZip([entry('Upload01', 'One'), { name: 'bad.json', data: '{' }]),
      '../a.zip',
    );
    const jobId = await jobOf(answer);
    expect(answer.headers.get('location')).toBe(strategyRoutes.importStatus(jobId));
    expect(await api.status(jobId)).toMatchObject({ phase: 'extracting', imported: null });
    const stop = api.startImporting();
    const seen = await followed(jobId);
    await stop();
    const processed = seen.map((status) => status.processed);
    expect(processed).toEqual(processed.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toMatchObject({
      phase: 'complete',
      message: 'Successfully processed 1 strategy',
      processed: 2,
      errorCount: 1,
      imported: { added: 1, revised: 0, unchanged: 0, rejected: 1 },
    });
    expect(seen.at(-1)?.errors).toMatchObject([{ strategy: 'bad.json' }]);
    const [requested] = await api.store.readStream(strategyImportStream(jobId));
    expect(requested).toMatchObject({
      type: 'ImportRequested',
      data: { source: { name: 'a.zip' } },
      metadata: { actorId: admin, actorKind: 'admin' },
    });
    expect(await waiting()).toBe(0);
    await projectToEnd({
      store: api.store,
      projections: strategyProjections,
      databases: api.databases.pools,
    });
    const list = await fetch(`${api.url}${strategyRoutes.imports}`, { headers: adminHeaders });
    expect(LastImports.parse(await list.json()).imports[0]).toMatchObject({
      jobId,
      status: 'completed',
      added: 1,
    });
  });

  it('names the entries that were not imported because a later one has the same strategy, and its true size', async () => {
    const zip = writeZip([
      { ...entry('Twice001', 'Old'), name: 'old.json' },
      entry('Once0001', 'Once'),
      { ...entry('Twice001', 'New'), name: 'new.json' },
    ]);
    expect(await importedBy(await jobOf(await api.send(zip, 'twice.zip')))).toMatchObject({
      phase: 'complete',
      message: 'Successfully processed 2 strategies',
      duplicates: [{ urlId: 'Twice001', kept: 'new.json', dropped: ['old.json'] }],
      duplicateCount: 1,
      file: { name: 'twice.zip', size: zip.length },
    });
  });

  it.each([
    [
      'its entries are no strategies',
      ['a', 'b', 'c'].map((name) => ({ name: `${name}.json`, data: '{' })),
      /^Nothing was imported: all 3 entries were rejected\. The most frequent reason: \S/,
    ],
    [
      'its only entry is none',
      [{ name: 'a.json', data: '[]' }],
      /^Nothing was imported: the only entry was rejected\. The list in it is empty\.$/,
    ],
  ] satisfies readonly (readonly [string, readonly WrittenEntry[], RegExp])[])(
    'says why nothing was imported: %s',
    async (_why, entries, message) => {
      const status = await importedBy(await jobOf(await api.send(writeZip(entries))));
      expect(status).toMatchObject({ phase: 'complete', imported: { added: 0, revised: 0, unchanged: 0 } });
      expect(status.message).toMatch(message);
    },
  );

  it('is one import when it is sent twice at once, and another one when it is sent again later', async () => {
    const zip = zipOf(3, 'Twice');
    const jobs = await Promise.all(
      [api.send(zip), api.send(zip), api.send(zip)].map(async (one) => jobOf(await one)),
    );
    expect(new Set(jobs).size).toBe(1);
    expect(await waiting()).toBe(1);
    expect(await importedBy(jobs[0] ?? '')).toMatchObject({ imported: { added: 3 } });
    const again = await jobOf(await api.send(zip));
    expect(jobs).not.toContain(again);
    expect(await importedBy(again)).toMatchObject({ imported: { added: 0, unchanged: 3 } });
  });

  it('is imported although the process that received it ended before it said so', async () => {
    const file = { name: 'a.zip', content: arriving(zipOf(2, 'Orphan')) };
    const { importId } = await storeUpload(api.databases.tapedeck, file, { id: admin, kind: 'admin' });
    expect(await importedBy(importId)).toMatchObject({ phase: 'complete', imported: { revised: 2 } });
  });

  it('ends with an error that says why when it is no archive', async () => {
    const status = await importedBy(await jobOf(await api.send(Buffer.from('no archive'.repeat(9)))));
    expect(status).toMatchObject({ phase: 'error', message: expect.stringContaining('not a ZIP file') });
  });

  it.each([
    ['memory', { maxHeapMb: 8, maxMs: 60_000 }, /needs more memory than it may have/],
    ['time', { maxHeapMb: 256, maxMs: 1 }, /took longer than a minute/],
  ])(
    'ends with an error when unpacking it takes too much %s, and the next one is imported',
    async (what, limits, message) => {
      const jobId = await jobOf(await api.send(writeZip([entry('Upload02', what.repeat(900_000))])));
      const stop = api.startImporting({ limits });
      expect((await followed(jobId)).at(-1)).toMatchObject({
        phase: 'error',
        message: expect.stringMatching(message),
      });
      await stop();
      expect(await importedBy(await jobOf(await api.send(zipOf(1, what))))).toMatchObject({
        phase: 'complete',
      });
    },
  );
});

describe('the status of an import', () => {
  it('has an ETag, and says when to ask again', async () => {
    const jobId = await jobOf(await api.send(zipOf(1, 'ETag')));
    const path = `${api.url}${strategyRoutes.importStatus(jobId)}`;
    const first = await fetch(path, { headers: adminHeaders });
    expect(first.headers.get('retry-after')).toBe('1');
    const headers = { ...adminHeaders, 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await fetch(path, { headers })).status).toBe(304);
    await discard();
  });

  it('is 404 for an unknown import', async () => {
    const path = strategyRoutes.importStatus('7b6f8a52-6c55-5c38-9c1e-0d8a3f5b7a11');
    expect((await fetch(`${api.url}${path}`, { headers: adminHeaders })).status).toBe(404);
  });
});
