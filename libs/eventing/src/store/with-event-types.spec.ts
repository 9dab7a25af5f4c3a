import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import fc from 'fast-check';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { EventTypes } from '../event-types.ts';
import type { RecordedEvent } from '../event.ts';
import { goldenFileProblems, goldenEvents, readGolden } from '../testing/golden-events.ts';
import { checkProperty } from '../testing/property.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { upcast } from './with-event-types.ts';

const recorded = (type: string, schemaVersion: number, data: JsonObject): RecordedEvent => ({
  ...sampleEvent(type, data, { schemaVersion }),
  stream: 'sample-1',
  version: 1,
  position: 1n,
  recordedAt: '2026-11-21T12:00:00.000Z',
});

describe('a store with event types', () => {
  it('refuses definitions with missing upcasters, no subject or a field name that cannot be stored', () => {
    expect(() => createMemoryEventStore({ types: { Noted: { version: 2 } } })).toThrow(
      'Event type Noted is at version 2: it needs 1 upcasters.',
    );
    expect(() => createMemoryEventStore({ types: { Noted: { version: 1, personal: ['email'] } } })).toThrow(
      'name the field of its subject',
    );
    const types = { Noted: { version: 1, personal: ['e-mail'], subject: 'accountId' } };
    expect(() => createMemoryEventStore({ types })).toThrow('other than letters, digits and underscores');
  });
});

describe('upcast', () => {
  it('does not take a property of every object for an event type', () => {
    expect(upcast(recorded('toString', 1, {}), {})).toBeUndefined();
  });

  it('stops at a version that is newer than the current one', () => {
    expect(() => upcast(recorded('Noted', 2, {}), { Noted: { version: 1 } })).toThrow('Update this process');
  });

  it('reports an event whose upcaster throws, with its data as stored', () => {
    const types: EventTypes = {
      Noted: {
        version: 2,
        upcasters: [
          () => {
            throw new Error('no text');
          },
        ],
      },
    };
    expect(upcast(recorded('Noted', 1, { n: 1 }), types)).toMatchObject({
      data: { n: 1 },
      schemaVersion: 1,
      unreadable: 'its upcaster failed: no text',
    });
  });

  it('converts data of any version, step by step, to what the current version would have stored', () => {
    checkProperty(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.nat(7),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (...args) => {
          const [version, start, dictionary] = args;
          const data = dictionary as JsonObject;
          const from = (start % version) + 1;
          const upcasters = Array.from({ length: version - 1 }, (_, index) => (raw: JsonObject) => ({
            wrapped: raw,
            to: index + 2,
          }));
          const types: EventTypes = { Noted: { version, upcasters } };
          const native = (at: number): JsonObject =>
            at === from ? data : { wrapped: native(at - 1), to: at };
          const upcasted = upcast(recorded('Noted', from, data), types);
          expect(upcasted?.data).toEqual(native(version));
          expect(upcasted?.schemaVersion).toBe(version);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('golden files of events', () => {
  const folder = new URL('../testing/golden/', import.meta.url);
  const types: EventTypes = {
    Noted: { version: 2, upcasters: [({ text }) => ({ words: text, tags: [] })] },
  };
  goldenEvents(folder, types, { Noted: { words: 'a', tags: [] } });

  it('are reported when one is missing or belongs to no event type', () => {
    expect(goldenFileProblems(folder, { Noted: { version: 1 }, Other: { version: 1 } })).toEqual([
      'Other.v1.json is missing',
      'Noted.v2.json belongs to no event type',
    ]);
  });

  it('show that an upcaster has changed', () => {
    const changed = { Noted: { version: 2, upcasters: [() => ({ words: '', tags: [] })] } };
    expect(readGolden(folder, changed, 'Noted', 1)).not.toEqual(readGolden(folder, changed, 'Noted', 2));
  });
});
