import { describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { countedEvents, errorCodeOf, newStream, type ContractContext } from './contract-context.ts';
import { sampleEvent } from './sample-events.ts';

/** The content of events: it is returned unchanged, or refused. */
export const contentContract = ({ store, open }: ContractContext): void => {
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

    it('is refused in a stream whose name cannot be stored', async () => {
      for (const name of ['', 'a\u0000b', 'a\ud800', 'line\nbreak', 'x'.repeat(251)]) {
        expect(await errorCodeOf(store().append(name, 'ANY', countedEvents(1)))).toBe('EVENT_NOT_STORABLE');
      }
    });
  });

  describe('stored events', () => {
    it('are returned at their current version, and left out when their type is unknown', async () => {
      const name = newStream();
      await store().append(name, 'ANY', [sampleEvent('Noted', { text: 'a' }), ...countedEvents(1)]);
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
  });
};
