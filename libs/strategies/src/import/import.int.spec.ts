import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { writeFile } from 'node:fs/promises';
import { importId } from '../domain/ids.ts';
import { demoRecords } from '../demo/demo-records.ts';
import { importFixture, tester, type ImportFixture } from '../testing/import-fixture.ts';
import { withFile } from '../testing/zip-outcomes.ts';
import { writeZip } from '../testing/zip-writer.ts';
import { importArchive } from './import-archive.ts';
import type { ImportReport } from './import-report.ts';

let fixture: ImportFixture;

beforeAll(async () => {
  fixture = await importFixture();
});
afterAll(async () => {
  await fixture.close();
});

const importFile = (path: string): Promise<ImportReport> => {
  const { store, clock } = fixture;
  return importArchive({ path, importId: importId(newId()), store, actor: tester, clock });
};

const count = async (): Promise<number> => {
  const { rows } = await fixture.databases.catalogue.query<{ n: number }>(
    'select count(*)::int as n from strategies',
  );
  return rows[0]?.n ?? 0;
};

const strategyEventsOnTape = async (): Promise<number> => {
  const { rows } = await fixture.databases.tapedeck.query<{ n: number }>(
    "select count(*)::int as n from tape_events where stream like 'strategy-%'",
  );
  return rows[0]?.n ?? 0;
};

const archive = (likes: number): Buffer =>
  writeZip(
    [...demoRecords({ count: 300, seed: 3 })].map((record, index) => ({
      name: `strategies/${record.url_id}.json`,
      data: JSON.stringify(index < 10 ? { ...record, likes } : record),
    })),
  );

describe('an import into PostgreSQL', () => {
  it('adds new strategies, leaves equal ones unchanged, revises changed ones and is projected', async () => {
    await withFile('all.zip', archive(1), async (path) => {
      expect(await importFile(path)).toMatchObject({ added: 300, revised: 0, unchanged: 0, rejected: 0 });
      expect(await strategyEventsOnTape()).toBe(300);
      expect(await importFile(path)).toMatchObject({ added: 0, revised: 0, unchanged: 300, rejected: 0 });
      expect(await strategyEventsOnTape()).toBe(300);
      await writeFile(path, archive(2));
      expect(await importFile(path)).toMatchObject({ added: 0, revised: 10, unchanged: 290, rejected: 0 });
    });
    await fixture.project();
    expect(await count()).toBe(300);
  });

  const real = process.env['TAPEDECK_REAL_DATA'];
  if (real) {
    it('imports the real archive', async () => {
      const before = await count();
      expect(await importFile(real)).toMatchObject({ added: 900, rejected: 0 });
      expect(await importFile(real)).toMatchObject({ unchanged: 900, rejected: 0 });
      await fixture.project();
      expect(await count()).toBe(before + 900);
    });
  }
});
