import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { createLogDestination } from './log-destination.ts';
import { temporaryFolder } from './testing/product.ts';

const lineOf = (n: number): string => `${String(n).padStart(6, '0')} ${'x'.repeat(92)}\n`;

describe('the destination of the log', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let pipe: number;
  beforeEach(() => {
    folder = temporaryFolder();
    const path = join(folder.path, 'pipe');
    execFileSync('mkfifo', [path]);
    pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(() => {
    closeSync(pipe);
    folder.remove();
  });

  const buffer = Buffer.alloc(1 << 16);
  const readAll = (): string => {
    let text = '';
    try {
      for (;;) text += buffer.toString('utf8', 0, readSync(pipe, buffer));
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
    }
    return text;
  };

  it('writes every line once and in order while it is read', async () => {
    const log = createLogDestination(pipe, () => {});
    for (let n = 0; n < 400; n++) log.write(lineOf(n));
    let text = '';
    await eventually(() => {
      text += readAll();
      expect(text.split('\n')).toHaveLength(401);
    });
    expect(text).toBe(Array.from({ length: 400 }, (_, n) => lineOf(n)).join(''));
  });

  it('drops the newest lines while they are not read, says how many, and writes the others in order', async () => {
    const dropped: number[] = [];
    const log = createLogDestination(pipe, (lines) => dropped.push(lines));
    const count = 40_000;
    for (let n = 0; n < count; n++) log.write(lineOf(n));
    let text = '';
    await eventually(() => {
      text += readAll();
      expect(dropped).toHaveLength(1);
      expect(text.split('\n')).toHaveLength(count - (dropped[0] ?? 0) + 1);
    });
    const kept = count - (dropped[0] ?? 0);
    expect(kept).toBeGreaterThan(10_000);
    expect(kept).toBeLessThan(13_000);
    expect(text).toBe(Array.from({ length: kept }, (_, n) => lineOf(n)).join(''));
    log.write('after\n');
    log.flushSync();
    expect(readAll()).toBe('after\n');
  });

  it('lets a process run and end while the disk is full', async () => {
    const program = `
      import { createLogger } from ${JSON.stringify(fileURLToPath(new URL('../dist/log.js', import.meta.url)))};
      const logger = createLogger('test', 'info');
      for (let n = 0; n < 20000; n++) logger.info({ n }, 'a line that is never read');
      process.stderr.write('still here');
      setTimeout(() => process.exit(3), 200);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect({ code, errors }).toEqual({ code: 3, errors: 'still here' });
  });
});
