import { describe, expect, it } from '@jest/globals';
import type { AppendResult, ExpectedVersion } from '../event-store.ts';
import { codeOf, newStream, numbered, type ContractContext } from './contract-context.ts';
import { sampleEvent } from './sample-events.ts';

/** Guards, repetition, and many writers at once. */
export const appendsContract = ({ store, appendSome, versions }: ContractContext): void => {
  describe('guards', () => {
    const cases: readonly (readonly [ExpectedVersion, number, number | 'appended'])[] = [
      ['NO_STREAM', 0, 'appended'],
      ['NO_STREAM', 3, 3],
      ['EXISTS', 0, 0],
      ['EXISTS', 3, 'appended'],
      ['ANY', 0, 'appended'],
      ['ANY', 3, 'appended'],
      [3, 3, 'appended'],
      [2, 3, 3],
      [4, 3, 3],
      [1, 0, 0],
      [Number.MAX_SAFE_INTEGER, 3, 3],
    ];
    it.each(cases)('%s on a stream at version %i ends as %s', async (expected, before, outcome) => {
      const name = newStream();
      if (before > 0) await appendSome(name, before);
      const result = await store().append(name, expected, numbered(2));
      if (outcome === 'appended') {
        expect(result).toMatchObject({ outcome: 'appended', version: before + 2 });
        expect(await versions(name)).toEqual(Array.from({ length: before + 2 }, (_, index) => index + 1));
      } else {
        expect(result).toEqual({ outcome: 'conflict', actual: outcome });
        expect(await versions(name)).toHaveLength(before);
      }
    });

    it('refuses an expected version that is no version', async () => {
      for (const version of [0, -1, 1.5, Number.NaN]) {
        expect(await codeOf(store().append(newStream(), version, numbered(1)))).toBe(
          'EXPECTED_VERSION_INVALID',
        );
      }
    });

    it('refuses event types it does not know, other versions than the current one, and empty appends', async () => {
      expect(await codeOf(store().append(newStream(), 'ANY', [sampleEvent('Unheard')]))).toBe(
        'EVENT_TYPE_UNKNOWN',
      );
      const early = sampleEvent('Noted', {}, { schemaVersion: 2 });
      expect(await codeOf(store().append(newStream(), 'ANY', [early]))).toBe('EVENT_TYPE_UNKNOWN');
      expect(await codeOf(store().append(newStream(), 'ANY', []))).toBe('EVENT_NOT_STORABLE');
    });
  });

  describe('repetition', () => {
    it.each(['NO_STREAM', 'ANY', 'EXISTS', 1, 2, 7] as const)(
      'answers the same ids again as a duplicate, expecting %s',
      async (expected) => {
        const name = newStream();
        const events = numbered(2);
        const first = await store().append(name, 'NO_STREAM', events);
        const again = await store().append(name, expected, events);
        expect(first.outcome).toBe('appended');
        expect(again).toEqual({ ...first, outcome: 'duplicate' });
        expect(await versions(name)).toEqual([1, 2]);
      },
    );

    it('still recognises a repetition after the stream has moved on', async () => {
      const name = newStream();
      const events = numbered(2);
      const first = await store().append(name, 'NO_STREAM', events);
      await appendSome(name, 1);
      expect(await store().append(name, 'NO_STREAM', events)).toEqual({ ...first, outcome: 'duplicate' });
      expect(await store().append(name, 3, numbered(1))).toMatchObject({ outcome: 'appended', version: 4 });
    });

    it('refuses ids that belong to another append and writes nothing', async () => {
      const name = newStream();
      const [known, fresh] = [sampleEvent('Noted'), sampleEvent('Noted')];
      await store().append(name, 'NO_STREAM', [known]);
      const elsewhere = newStream();
      expect(await codeOf(store().append(elsewhere, 'ANY', [known]))).toBe('EVENT_ID_REUSED');
      expect(await codeOf(store().append(elsewhere, 'ANY', [fresh, known]))).toBe('EVENT_ID_REUSED');
      expect(await codeOf(store().append(name, 'ANY', [known, fresh]))).toBe('EVENT_ID_REUSED');
      expect(await codeOf(store().append(name, 5, [fresh, known]))).toBe('EVENT_ID_REUSED');
      expect(await codeOf(store().append(name, 'ANY', [fresh, fresh]))).toBe('EVENT_ID_REUSED');
      expect(await store().readStream(elsewhere)).toEqual([]);
      expect(await versions(name)).toEqual([1]);
      expect(await store().append(name, 1, [fresh])).toMatchObject({ outcome: 'appended', version: 2 });
    });
  });

  describe('concurrent appends', () => {
    it('lets exactly one of many first appends through', async () => {
      const name = newStream();
      const results = await Promise.all(
        Array.from({ length: 40 }, () => store().append(name, 'NO_STREAM', numbered(1))),
      );
      expect(results.filter((result) => result.outcome === 'appended')).toHaveLength(1);
      expect(results.filter((result) => result.outcome === 'conflict' && result.actual === 1)).toHaveLength(
        39,
      );
    });

    it('keeps versions gapless when many write to one stream, and tells each the true version', async () => {
      const name = newStream();
      const writer = async (): Promise<void> => {
        for (let written = 0, expected: ExpectedVersion = 'NO_STREAM'; written < 10;) {
          const result: AppendResult = await store().append(name, expected, numbered(1));
          if (result.outcome === 'conflict') expected = result.actual;
          else {
            expected = result.version;
            written++;
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, writer));
      expect(await versions(name)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
    });

    it('answers 128 callers on different streams, each with its own outcome', async () => {
      const names = Array.from({ length: 128 }, newStream);
      const taken = names[5] ?? '';
      await appendSome(taken, 3);
      const results = await Promise.all(
        names.map((name, index) => store().append(name, 'NO_STREAM', numbered((index % 3) + 1))),
      );
      results.forEach((result, index) => {
        if (names[index] === taken) expect(result).toEqual({ outcome: 'conflict', actual: 3 });
        else expect(result).toMatchObject({ outcome: 'appended', version: (index % 3) + 1 });
      });
      const found = await store().readStreams(names);
      expect(found.size).toBe(128);
      const positions = new Set([...found.values()].flat().map((event) => event.position));
      expect(positions.size).toBe([...found.values()].flat().length);
    });

    it('keeps the order of a caller on one stream without waiting in between', async () => {
      const name = newStream();
      await Promise.all(numbered(50).map((event) => store().append(name, 'ANY', [event])));
      const events = await store().readStream(name);
      expect(events.map((event) => event.data['n'])).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });

    it('fails a bad append among good ones alone', async () => {
      const known = sampleEvent('Noted');
      await store().append(newStream(), 'ANY', [known]);
      const names = Array.from({ length: 21 }, newStream);
      const results = await Promise.all(
        names.map((name, index) =>
          codeOf(
            store().append(name, 'NO_STREAM', index === 10 ? [sampleEvent('Noted'), known] : numbered(1)),
          ),
        ),
      );
      expect(results.map((code, index) => [index, code])).toEqual(
        names.map((_, index) => [index, index === 10 ? 'EVENT_ID_REUSED' : 'no error']),
      );
      expect((await store().readStreams(names)).size).toBe(20);
    });
  });
};
