import { describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import type { NewEvent } from '../event.ts';
import { maxEventBytes } from '../store/storable.ts';
import {
  countedEvents,
  errorCodeOf,
  newStream,
  waitForHead,
  type ContractContext,
} from './contract-context.ts';
import { sampleEvent } from './sample-events.ts';

/** The content of events: it is returned unchanged, or refused. */
export const contentContract = ({ store, open }: ContractContext): void => {
  /** Waits until the tape can be read up to the end of the stream. */
  const waitForEnd = async (stream: string): Promise<void> => {
    const events = await store().readStream(stream, { form: 'stored' });
    await waitForHead(store(), events.at(-1)?.position ?? 0n);
  };

  describe('the content of an event', () => {
    it('is returned as written, with position and time', async () => {
      const name = newStream();
      const event = sampleEvent('Noted', {
        text: 'a',
        list: [1, 'b', null, { deep: true }],
        nothing: null,
        big: 1e300,
      });
      const result = await store().append(name, 'NO_STREAM', [event]);
      const [recorded] = await store().readStream(name);
      expect(recorded).toMatchObject({ ...event, stream: name, version: 1 });
      expect(recorded?.position).toBe(result.outcome === 'appended' ? result.position : undefined);
      expect(typeof recorded?.position).toBe('bigint');
      expect(recorded?.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('may contain SQL, JSON and control characters', async () => {
      const texts = [
        `'; drop table tape_events; --`,
        '{"a","b"}',
        '\\ \\\\ " \\" {} , NULL null',
        'tab\tnewline\nreturn\r\u0001\u001f\u007f\u0085\u2028\u2029\ufeff',
        'literally \\u0000 and \\ud800',
        '🎛️ 𝕏 مرحبا ünï\u0301',
        '',
        ' ',
      ];
      const name = `contract-'"\\{},NULL 🎛️ ${newId()}`;
      const data = Object.fromEntries(texts.map((text, index) => [`${text}${index}`, text]));
      const note = sampleEvent('Noted', data);
      await store().append(name, 'NO_STREAM', [
        { ...note, metadata: { ...note.metadata, 'odd "key"': texts.join('') } },
      ]);
      await store().append(name, 1, [sampleEvent('Noted', { '': '' })]);
      const [first] = await store().readStream(name);
      expect(first?.data).toEqual(data);
      expect(first?.metadata['odd "key"']).toBe(texts.join(''));
      expect([...(await store().readStreams([name])).keys()]).toEqual([name]);
    });

    it.each([
      ['U+0000 in a value', { text: 'a\u0000b' }],
      ['U+0000 in a key', { 'a\u0000': 1 }],
      ['U+0000 after a backslash', { text: '\\\u0000' }],
      ['a lone high surrogate', { text: 'x\ud83d' }],
      ['a lone low surrogate', { deep: { list: ['\ude00x'] } }],
      ['NaN', { n: Number.NaN }],
      ['an infinity', { deep: [{ n: Number.POSITIVE_INFINITY }] }],
    ])('is refused with %s, before anything is written', async (_, data) => {
      const name = newStream();
      expect(
        await errorCodeOf(store().append(name, 'ANY', [sampleEvent('Noted'), sampleEvent('Noted', data)])),
      ).toBe('EVENT_NOT_STORABLE');
      expect(await store().readStream(name)).toEqual([]);
    });

    it('may have a megabyte as JSON, and is refused with more', async () => {
      const name = newStream();
      const sizeOf = ({ data, metadata }: NewEvent): number =>
        Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
      const free = maxEventBytes - sizeOf(sampleEvent('Noted', { text: '' }));
      const largest = sampleEvent('Noted', { text: 'ü'.repeat(free / 2) + 'x'.repeat(free % 2) });
      const tooLarge = sampleEvent('Noted', { text: 'ü'.repeat(free / 2 + 1) });
      expect(sizeOf(largest)).toBe(maxEventBytes);
      const refused = store().append(name, 'ANY', [sampleEvent('Noted'), tooLarge]);
      await expect(refused).rejects.toMatchObject({ code: 'EVENT_TOO_LARGE', kind: 'too-large' });
      await store().append(name, 'NO_STREAM', [largest]);
      expect((await store().readStream(name)).map(({ data }) => data)).toEqual([largest.data]);
    });

    it('is refused in a stream whose name cannot be stored', async () => {
      for (const name of ['', 'a\u0000b', 'a\ud800', 'line\nbreak', 'x'.repeat(251)]) {
        expect(await errorCodeOf(store().append(name, 'ANY', countedEvents(1)))).toBe('EVENT_NOT_STORABLE');
      }
    });
  });

  describe('stored events', () => {
    it('are returned at their current version', async () => {
      const name = newStream();
      await store().append(name, 'ANY', [sampleEvent('Noted', { text: 'a' })]);
      const newerStore = open({
        Noted: {
          version: 3,
          upcasters: [(data) => ({ words: data['text'] ?? null }), (data) => ({ ...data, tags: [] })],
        },
      });
      const events = await newerStore.readStream(name);
      expect(events.map(({ type, schemaVersion, data }) => ({ type, schemaVersion, data }))).toEqual([
        { type: 'Noted', schemaVersion: 3, data: { words: 'a', tags: [] } },
      ]);
      await newerStore.close();
    });

    it('of an unknown type are omitted from the tape, but a stream that has them is not returned', async () => {
      const name = newStream();
      const after = await store().head();
      await store().append(name, 'ANY', [sampleEvent('Noted'), ...countedEvents(1)]);
      await waitForEnd(name);
      const narrowStore = open({ Noted: { version: 1 } });
      const { events } = await narrowStore.readTape({ after, limit: 10 });
      expect(events.map(({ type }) => type)).toEqual(['Noted']);
      expect(await errorCodeOf(narrowStore.readStream(name))).toBe('EVENT_UNKNOWN');
      expect(await errorCodeOf(narrowStore.readStreams([name]))).toBe('EVENT_UNKNOWN');
      await expect(narrowStore.readTape({ after: 0n, limit: 10, types: ['Counted'] })).rejects.toThrow(
        'which no module of this process defines',
      );
      await narrowStore.close();
    });

    it('of a newer version stop every reader, after the events before them', async () => {
      const name = newStream();
      const after = await store().head();
      // Other tests read the same tape, so their stores must not know the type.
      const oldStore = open({ Revised: { version: 1 }, Counted: { version: 1 } });
      const newStore = open({
        Revised: { version: 2, upcasters: [(data) => data] },
        Counted: { version: 1 },
      });
      const revised = sampleEvent('Revised', {}, { schemaVersion: 2 });
      await newStore.append(name, 'ANY', [...countedEvents(1), revised, ...countedEvents(1)]);
      await waitForEnd(name);
      const before = await oldStore.readTape({ after, limit: 10 });
      expect(before.events.map(({ version }) => version)).toEqual([1]);
      expect(before.position).toBe(before.events[0]?.position);
      expect(await errorCodeOf(oldStore.readTape({ after: before.position, limit: 10 }))).toBe(
        'EVENT_UNKNOWN',
      );
      const followed: number[] = [];
      const follow = async (): Promise<void> => {
        const signal = new AbortController().signal;
        for await (const page of oldStore.follow({ after, batchSize: 10, signal })) {
          followed.push(...page.events.map(({ version }) => version));
        }
      };
      expect(await errorCodeOf(follow())).toBe('EVENT_UNKNOWN');
      expect(followed).toEqual([1]);
      expect(await errorCodeOf(oldStore.readStream(name))).toBe('EVENT_UNKNOWN');
      expect((await oldStore.readStream(name, { form: 'stored' })).map(({ version }) => version)).toEqual([
        1, 2, 3,
      ]);
      await oldStore.close();
      await newStore.close();
    });

    it('whose upcaster throws are marked as unreadable on the tape, and their stream is not returned', async () => {
      const name = newStream();
      const after = await store().head();
      await store().append(name, 'ANY', [sampleEvent('Noted', { text: 'a' })]);
      await waitForEnd(name);
      const brokenStore = open({
        Noted: {
          version: 2,
          upcasters: [
            () => {
              throw new Error('no words');
            },
          ],
        },
      });
      const page = await brokenStore.readTape({ after, limit: 10, types: ['Noted'] });
      expect(page.events.map(({ unreadable, data }) => [unreadable, data])).toEqual([
        ['its upcaster failed: no words', { text: 'a' }],
      ]);
      expect(await errorCodeOf(brokenStore.readStream(name))).toBe('EVENT_UNREADABLE');
      await brokenStore.close();
    });
  });
};
