import { chmodSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { openLogFile } from './log-file.mjs';

const lineOf = (n: number): Buffer => Buffer.from(`${String(n).padStart(4, '0')} ${'x'.repeat(94)}\n`);

describe('the log of an instance', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file = '';
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'api.log');
  });
  afterEach(() => folder.remove());

  it('keeps the newest lines in files of bounded size, whole and in order', () => {
    const log = openLogFile(file, { maxBytes: 1_000, olderFiles: 2 });
    for (let n = 0; n < 95; n++) log.write(lineOf(n));
    log.close();
    expect(readdirSync(folder.path).sort()).toEqual(['api.log', 'api.log.1', 'api.log.2']);
    for (const name of readdirSync(folder.path))
      expect(statSync(join(folder.path, name)).size).toBeLessThanOrEqual(1_000);
    const text = [`${file}.2`, `${file}.1`, file].map((name) => readFileSync(name, 'utf8')).join('');
    expect(text).toBe(Array.from({ length: 25 }, (_, n) => lineOf(70 + n).toString()).join(''));
  });

  it('divides no line between two files, even when it arrives in parts', () => {
    const log = openLogFile(file, { maxBytes: 250, olderFiles: 1 });
    log.write(lineOf(0));
    log.write(lineOf(1).subarray(0, 50));
    log.write(Buffer.concat([lineOf(1).subarray(50), lineOf(2)]));
    log.write(lineOf(3));
    log.close();
    expect(readFileSync(`${file}.1`, 'utf8')).toBe(Buffer.concat([0, 1, 2].map(lineOf)).toString());
    expect(readFileSync(file, 'utf8')).toBe(lineOf(3).toString());
  });

  it('drops what a full disk does not take, says how much, and goes on when there is room', () => {
    symlinkSync('/dev/full', file);
    const log = openLogFile(file);
    log.write(lineOf(0));
    log.write(lineOf(1));
    rmSync(file);
    log.write(lineOf(2));
    log.close();
    expect(readFileSync(file, 'utf8')).toBe(`… 200 bytes could not be written.\n${lineOf(2).toString()}`);
  });

  it('is readable for its owner only, also after it was rotated and where earlier files were not', () => {
    const names = ['api.log', 'api.log.1', 'api.log.2'];
    const modes = (): readonly number[] =>
      names.map((name) => statSync(join(folder.path, name)).mode & 0o777);
    for (const name of names) {
      writeFileSync(join(folder.path, name), lineOf(0));
      chmodSync(join(folder.path, name), 0o664);
    }
    const log = openLogFile(file, { maxBytes: 250, olderFiles: 2 });
    log.write(lineOf(1));
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    for (let n = 2; n < 20; n++) log.write(lineOf(n));
    log.close();
    expect(readFileSync(`${file}.2`, 'utf8')).not.toContain('0000');
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
  });

  it('leaves the mode of what is no file as it is', () => {
    const before = statSync('/dev/full').mode;
    symlinkSync('/dev/full', file);
    const log = openLogFile(file);
    log.write(lineOf(0));
    log.close();
    expect(statSync('/dev/full').mode).toBe(before);
  });
});
