import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { importId } from '../domain/ids.ts';
import { emptyRecord } from '../domain/strategy-record.ts';
import { strategyEvents } from '../events.ts';
import { importRecords } from '../import/import-records.ts';
import { importFixture, tester, type ImportFixture } from '../testing/import-fixture.ts';
import { fillDemoCatalogue } from './fill-demo-catalogue.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await importFixture();
});
afterAll(() => fixture.close());

describe('fillDemoCatalogue in a process that has just started', () => {
  it('does not take a full tape for an empty one while an append is open', async () => {
    const { store, clock, databases } = fixture;
    const records = [{ ...emptyRecord, url_id: 'S3LKflwr', title: 'Own' }];
    await importRecords({ name: 'own', records, importId: importId(newId()), store, actor: tester, clock });
    const open = await databases.tapedeck.connect();
    await open.query('begin');
    await open.query(
      `select tape_append(array['open'], array[-2], array[1], array[gen_random_uuid()], array['Open'],
         array[1::smallint], array['{}'::json], array['{}'::json])`,
    );
    const { rows } = await open.query<{ at: string }>('select clock_timestamp()::text as at');

    const started = createPostgresEventStore({ url: databases.urls.tapedeck, types: strategyEvents });
    const filling = fillDemoCatalogue({ store: started, clock, count: 5 });
    await eventually(async () => {
      const marks = await databases.tapedeck.query(
        `select from pg_stat_activity where query like '%from tape_settling%' and query_start > $1
         and datname = current_database() and pid <> pg_backend_pid()`,
        [rows[0]?.at],
      );
      expect(marks.rowCount).toBeGreaterThan(0);
    });
    await open.query('commit');
    open.release();
    expect(await filling).toEqual({ outcome: 'not-empty', added: 0 });
    await started.close();
  });
});
