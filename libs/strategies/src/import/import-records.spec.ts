import { describe, expect, it } from '@jest/globals';
import type { EventStore } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { fixedClock, newId } from '@tapedeck/kernel';
import { demoRecords } from '../demo/demo-records.ts';
import { importId } from '../domain/ids.ts';
import { strategyEvents } from '../events.ts';
import { parseRecord } from '../parsing/parse-record.ts';
import { tester } from '../testing/import-fixture.ts';
import { contentOf, importRecords } from './import-records.ts';

describe('contentOf', () => {
  it('gives the same hash whatever the order of the fields', () => {
    const a = parseRecord({
      url_id: 'S3LKflwr',
      title: 'Alligator',
      strategy_inputs: [{ name: 'n', default: 1 }],
    });
    const b = parseRecord({
      strategy_inputs: [{ default: 1, name: 'n' }],
      title: 'Alligator',
      url_id: 'S3LKflwr',
    });
    expect(contentOf(a)).toEqual(contentOf(b));
    expect(contentOf({ ...a, likes: 1 }).contentHash).not.toBe(contentOf(a).contentHash);
  });
});

describe('importRecords', () => {
  it('counts strategies whose append was answered only when it was repeated', async () => {
    const store = createMemoryEventStore({ types: strategyEvents });
    const losingAnswers: EventStore = {
      ...store,
      append: async (...append) => {
        await store.append(...append);
        return store.append(...append);
      },
    };
    const importSeed = async (seed: number): Promise<readonly number[]> => {
      const { added, revised, unchanged } = await importRecords({
        name: 'test',
        records: demoRecords({ count: 20, seed }),
        importId: importId(newId()),
        store: losingAnswers,
        actor: tester,
        clock: fixedClock(0),
      });
      return [added, revised, unchanged];
    };
    expect(await importSeed(1)).toEqual([20, 0, 0]);
    expect(await importSeed(2)).toEqual([0, 20, 0]);
    expect(await importSeed(2)).toEqual([0, 0, 20]);
  });
});
