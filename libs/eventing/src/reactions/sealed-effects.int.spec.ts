import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createPersonalDataKeys, createPostgresEventStore } from '../adapters/postgres.ts';
import { pendingEvents } from '../reactions.ts';
import { eventually } from '../testing/eventually.ts';
import { countingEffect, sampleReactionTypes } from '../testing/sample-counters.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { reactionTests } from '../testing/sample-reactions.ts';

describe('an effect', () => {
  const { database, start, started } = reactionTests();

  it('gets sealed events where it reads no personal field, also those that are read again', async () => {
    const keys = createPersonalDataKeys({ pool: database().pool, masterKey: randomBytes(32) });
    const types = {
      ...sampleReactionTypes,
      Noted: { version: 1, personal: ['secret'], subject: 'subject' },
    };
    const store = createPostgresEventStore({ pool: database().pool, types, keys });
    const got: unknown[] = [];
    let fails = true;
    const running = start({
      store,
      effects: [
        countingEffect({
          form: 'sealed',
          run: async (event) => {
            got.push(event.data['secret']);
            if (fails) throw new Error('once more');
            return [];
          },
        }),
      ],
    });
    await started('calling');
    const personal = sampleEvent('Noted', { n: 1, secret: 'a secret', subject: 'somebody' });
    await store.append('note-sealed', 'ANY', [personal]);
    await eventually(() => expect(got.length).toBeGreaterThan(1));
    fails = false;
    await eventually(async () => expect(await pendingEvents(database().pool)).toEqual([]));
    expect(new Set(got)).toEqual(new Set([expect.stringMatching(/^somebody\./)]));
    await running.stop();
    await store.close();
  });
});
