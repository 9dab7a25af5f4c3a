import { describe, expect, it } from '@jest/globals';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { fixedClock, newId } from '@tapedeck/kernel';
import { importId } from '../domain/ids.ts';
import { emptyRecord } from '../domain/strategy-record.ts';
import { strategyEvents } from '../events.ts';
import { importRecords } from './import-records.ts';

describe('an import of records', () => {
  it('rejects one that is larger than an event may be, and imports the others', async () => {
    const scripts = ['', 'ü'.repeat(600_000), 'x'.repeat(900_000)];
    const report = await importRecords({
      name: 'large',
      records: scripts.map((pine_script, n) => ({
        ...emptyRecord,
        url_id: `s000000${n}`,
        title: 'Own',
        pine_script,
      })),
      importId: importId(newId()),
      store: createMemoryEventStore({ types: strategyEvents }),
      actor: { id: 'tester', kind: 'system' },
      clock: fixedClock(0),
    });
    expect(report).toMatchObject({ added: 2, rejected: 1, failure: null });
    expect(report.rejections).toMatchObject([
      {
        urlId: 's0000001',
        code: 'RECORD_TOO_LARGE',
        reason: expect.stringMatching(/^It has 1,20\d,\d{3} bytes, and a strategy may have 1,000,000/),
      },
    ]);
  });
});
