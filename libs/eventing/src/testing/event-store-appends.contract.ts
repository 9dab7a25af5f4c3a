import { describe, expect, it } from '@jest/globals';
import type { AppendResult, ExpectedVersion } from '../event-store.ts';
import { countedEvents, errorCodeOf, newStream, type ContractContext } from './contract-context.ts';
import { sampleEvent } from './sample-events.ts';

/** Expected versions, repeated appends and concurrent appends. */
export const appendsContract = ({ store, appendCounted, versionsOf }: ContractContext): void => {
  describe('an append', () => {
    const cases: readonly (readonly [ExpectedVersion, number, AppendResult['outcome']])[] = [
      ['NO_STREAM', 0, 'appended'],
      ['NO_STREAM', 3, 'conflict'],
      ['EXISTS', 0, 'conflict'],
      ['EXISTS', 3, 'appended'],
      ['ANY', 0, 'appended'],
      ['ANY', 3, 'appended'],
      [3, 3, 'appended'],
      [2, 3, 'conflict'],
      [4, 3, 'conflict'],
      [1, 0, 'conflict'],
      [Number.MAX_SAFE_INTEGER, 3, 'conflict'],
    ];
    it.each(cases)(
      'that expects %s of a stream at version %i ends with %s',
      async (expected, before, outcome) => {
        const name = newStream();
        if (before > 0) await appendCounted(name, before);
        const result = await store().append(name, expected, countedEvents(2));
        if (outcome === 'appended') {
          expect(result).toMatchObject({ outcome: 'appended', version: before + 2 });
          expect(await versionsOf(name)).toEqual(Array.from({ length: before + 2 }, (_, index) => index + 1));
        } else {
          expect(result).toEqual({ outcome: 'conflict', actual: before });
          expect(await versionsOf(name)).toHaveLength(before);
        }
      },
    );

    it('is refused when it expects a number that is not a version', async () => {
      for (const version of [0, -1, 1.5, Number.NaN]) {
        expect(await errorCodeOf(store().append(newStream(), version, countedEvents(1)))).toBe(
          'EXPECTED_VERSION_INVALID',
        );
      }
    });

    it('is refused without events, with an unknown event type and with another version than the current one', async () => {
      expect(await errorCodeOf(store().append(newStream(), 'ANY', [sampleEvent('Unknown')]))).toBe(
        'EVENT_TYPE_UNKNOWN',
      );
      const tooNew = sampleEvent('Noted', {}, { schemaVersion: 2 });
      expect(await errorCodeOf(store().append(newStream(), 'ANY', [tooNew]))).toBe('EVENT_TYPE_UNKNOWN');
      expect(await errorCodeOf(store().append(newStream(), 'ANY', []))).toBe('EVENT_NOT_STORABLE');
    });
  });

  describe('a repeated append', () => {
    it.each(['NO_STREAM', 'ANY', 'EXISTS', 1, 2, 7] as const)(
      'of the same ids is a duplicate when it expects %s',
      async (expected) => {
        const name = newStream();
        const events = countedEvents(2);
        const first = await store().append(name, 'NO_STREAM', events);
        const again = await store().append(name, expected, events);
        expect(first.outcome).toBe('appended');
        expect(again).toEqual({ ...first, outcome: 'duplicate' });
        expect(await versionsOf(name)).toEqual([1, 2]);
      },
    );

    it('is a duplicate also after further appends to the stream', async () => {
      const name = newStream();
      const events = countedEvents(2);
      const first = await store().append(name, 'NO_STREAM', events);
      await appendCounted(name, 1);
      expect(await store().append(name, 'NO_STREAM', events)).toEqual({ ...first, outcome: 'duplicate' });
      expect(await store().append(name, 3, countedEvents(1))).toMatchObject({
        outcome: 'appended',
        version: 4,
      });
    });

    it('is refused, and writes nothing, when some of its ids belong to another append', async () => {
      const name = newStream();
      const [known, unused] = [sampleEvent('Noted'), sampleEvent('Noted')];
      await store().append(name, 'NO_STREAM', [known]);
      const otherStream = newStream();
      expect(await errorCodeOf(store().append(otherStream, 'ANY', [known]))).toBe('EVENT_ID_REUSED');
      expect(await errorCodeOf(store().append(otherStream, 'ANY', [unused, known]))).toBe('EVENT_ID_REUSED');
      expect(await errorCodeOf(store().append(name, 'ANY', [known, unused]))).toBe('EVENT_ID_REUSED');
      expect(await errorCodeOf(store().append(name, 5, [unused, known]))).toBe('EVENT_ID_REUSED');
      expect(await errorCodeOf(store().append(name, 'ANY', [unused, unused]))).toBe('EVENT_ID_REUSED');
      expect(await store().readStream(otherStream)).toEqual([]);
      expect(await versionsOf(name)).toEqual([1]);
      expect(await store().append(name, 1, [unused])).toMatchObject({ outcome: 'appended', version: 2 });
    });
  });

  describe('concurrent appends', () => {
    it('to a new stream succeed once and conflict otherwise', async () => {
      const name = newStream();
      const results = await Promise.all(
        Array.from({ length: 40 }, () => store().append(name, 'NO_STREAM', countedEvents(1))),
      );
      expect(results.filter((result) => result.outcome === 'appended')).toHaveLength(1);
      expect(results.filter((result) => result.outcome === 'conflict' && result.actual === 1)).toHaveLength(
        39,
      );
    });

    it('to one stream get versions without gaps, and each conflict has the actual version', async () => {
      const name = newStream();
      const writer = async (): Promise<void> => {
        for (let written = 0, expected: ExpectedVersion = 'NO_STREAM'; written < 10;) {
          const result: AppendResult = await store().append(name, expected, countedEvents(1));
          if (result.outcome === 'conflict') expected = result.actual;
          else {
            expected = result.version;
            written++;
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, writer));
      expect(await versionsOf(name)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
    });

    it('of 128 callers to different streams get one outcome each', async () => {
      const names = Array.from({ length: 128 }, newStream);
      const taken = names[5] ?? '';
      await appendCounted(taken, 3);
      const results = await Promise.all(
        names.map((name, index) => store().append(name, 'NO_STREAM', countedEvents((index % 3) + 1))),
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

    it('of one caller to one stream keep their order', async () => {
      const name = newStream();
      await Promise.all(countedEvents(50).map((event) => store().append(name, 'ANY', [event])));
      const events = await store().readStream(name);
      expect(events.map((event) => event.data['n'])).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });

    it('succeed when another one fails', async () => {
      const known = sampleEvent('Noted');
      await store().append(newStream(), 'ANY', [known]);
      const names = Array.from({ length: 21 }, newStream);
      const results = await Promise.all(
        names.map((name, index) =>
          errorCodeOf(
            store().append(
              name,
              'NO_STREAM',
              index === 10 ? [sampleEvent('Noted'), known] : countedEvents(1),
            ),
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
