import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { fixedClock } from '@tapedeck/kernel';
import { strategyEvents } from '../events.ts';
import { withFile } from '../testing/zip-outcomes.ts';
import { writeZip, type WrittenEntry } from '../testing/zip-writer.ts';
import { runImport } from './run-import.ts';

const clock = fixedClock(0);
let store: EventStore;
beforeEach(() => {
  store = createMemoryEventStore({ types: strategyEvents });
});

const strategy = (urlId: string): WrittenEntry => ({
  name: `${urlId}.json`,
  data: JSON.stringify({ url_id: urlId, title: `Title ${urlId}` }),
});

type Run = Readonly<{ status: number; output: string; errors: string }>;

const run = async (path: string, isTTY = false): Promise<Run> => {
  let [output, errors] = ['', ''];
  const status = await runImport({
    path,
    store,
    clock,
    output: { write: (text) => (output += text), isTTY },
    errors: { write: (text) => (errors += text) },
  });
  return { status, output, errors };
};

const runZip = (entries: readonly WrittenEntry[], isTTY?: boolean): Promise<Run> =>
  withFile('all.zip', writeZip(entries), (path) => run(path, isTTY));

describe('npm run import', () => {
  it('prints the counts, the rejections with their reasons and the duplicates', async () => {
    const { status, output, errors } = await runZip([
      strategy('aaaaaaaa'),
      { name: 'broken.json', data: '{' },
      { ...strategy('bbbbbbbb'), name: 'old.json' },
      strategy('bbbbbbbb'),
    ]);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toContain('all.zip: 2 added, 0 revised, 0 unchanged, 1 rejected (0.0 s)');
    expect(output).toContain('  broken.json: It is not valid JSON. [NOT_JSON]');
    expect(output).toContain('  bbbbbbbb: bbbbbbbb.json, not old.json');
  });

  it('exits with 0 when all strategies are unchanged', async () => {
    const entries = [strategy('aaaaaaaa'), strategy('bbbbbbbb')];
    await runZip(entries);
    const { status, output } = await runZip(entries);
    expect(status).toBe(0);
    expect(output).toContain('0 added, 0 revised, 2 unchanged, 0 rejected');
  });

  it('prints no control characters of the file, which a terminal would obey', async () => {
    const escape = '\u001b]0;owned\u0007\u001b[2J\u202e';
    const entries = [
      { name: 'id.json', data: JSON.stringify({ url_id: escape, title: escape }) },
      { name: 'broken.json', data: `{"a": ${escape}` },
      { name: Buffer.from([0x1b, 0x5b, 0x32, 0x4a, 0x81]), data: '{}' },
      strategy('aaaaaaaa'),
    ];
    for (const isTTY of [false, true]) {
      const { output, errors } = await runZip(entries, isTTY);
      const own = output.replaceAll(/\r\u001b\[2K/g, '');
      expect(own + errors).toContain('u{1b}');
      expect(own + errors).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('draws a progress bar on a terminal', async () => {
    const { output } = await runZip([strategy('cccccccc')], true);
    expect(output).toContain('\r\x1b[2K[████████████████████████████] 1 / 1');
  });

  it('exits with 1 if nothing was imported', async () => {
    const nothing = await runZip([{ name: 'broken.json', data: '{' }]);
    expect(nothing.status).toBe(1);
    expect(nothing.output).toContain('1 rejected');
  });

  it('prints why the file as a whole was rejected or cannot be read', async () => {
    const noZip = await withFile('all.zip', 'text', (path) => run(path));
    expect(noZip.status).toBe(1);
    expect(noZip.output).toContain(
      '✗ This is not a ZIP file, or its end is cut off: send a whole .zip file. [NOT_A_ZIP]',
    );
    const missing = await run('/nowhere/all.zip');
    expect(missing.status).toBe(1);
    expect(missing.errors).toContain('The file all.zip cannot be read');
  });
});
