import { describe, expect, it } from '@jest/globals';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { fixedClock, newId } from '@tapedeck/kernel';
import { importId } from '../domain/ids.ts';
import { emptyRecord } from '../domain/strategy-record.ts';
import { strategyEvents } from '../events.ts';
import { strategyStream } from '../domain/strategy.ts';
import { importRecords } from '../import/import-records.ts';
import { demoIdAt } from './demo-records.ts';
import { fillDemoCatalogue } from './fill-demo-catalogue.ts';

const clock = fixedClock(0);
const emptyStore = (): ReturnType<typeof createMemoryEventStore> =>
  createMemoryEventStore({ types: strategyEvents });

describe('fillDemoCatalogue', () => {
  it('fills an empty catalogue once, as the actor system', async () => {
    const store = emptyStore();
    const shown: number[] = [];
    const onProgress = (done: number): number => shown.push(done);
    expect(await fillDemoCatalogue({ store, clock, count: 200, onProgress })).toEqual({
      outcome: 'filled',
      added: 200,
    });
    expect(shown.at(-1)).toBe(200);
    const [event] = await store.readStream(strategyStream(demoIdAt(199)));
    expect(event?.metadata).toMatchObject({ actorId: 'system', actorKind: 'system' });
    const head = await store.head();
    expect(await fillDemoCatalogue({ store, clock, count: 200 })).toEqual({ outcome: 'present', added: 0 });
    expect(await store.head()).toBe(head);
  });

  it('resumes after an interruption', async () => {
    const store = emptyStore();
    let left = 150;
    const failing = {
      ...store,
      append: async (...append: Parameters<typeof store.append>) => {
        if (left-- <= 0) throw new Error('killed');
        return store.append(...append);
      },
    };
    await expect(fillDemoCatalogue({ store: failing, clock, count: 200 })).rejects.toThrow('killed');
    expect(await fillDemoCatalogue({ store, clock, count: 200 })).toEqual({ outcome: 'filled', added: 200 });
    expect(await store.readStream(strategyStream(demoIdAt(0)))).toHaveLength(1);
  });

  it('does nothing when the catalogue has other strategies', async () => {
    const store = emptyStore();
    await importRecords({
      name: 'own',
      records: [{ ...emptyRecord, url_id: 'S3LKflwr', title: 'Own' }],
      importId: importId(newId()),
      store,
      actor: { id: 'tester', kind: 'system' },
      clock,
    });
    expect(await fillDemoCatalogue({ store, clock, count: 5 })).toEqual({ outcome: 'not-empty', added: 0 });
  });
});
