import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@tapedeck/platform/testing';

describe('the files of an instance', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** Evaluates an expression in a process of its own, whose data folder this is. */
  const evaluate = (module: string, expression: string): unknown => {
    const program = `
      import * as module from ${JSON.stringify(module)};
      const file = ${JSON.stringify(join(folder.path, 'lock'))};
      process.stdout.write(JSON.stringify((await (${expression})) ?? null));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: folder.path },
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as unknown;
  };

  const nothing = { processes: [], ports: {}, demo: false, accounts: false };
  it.each([
    ['', nothing],
    ['{"ports":', nothing],
    ['null', nothing],
    ['[1]', nothing],
    ['{"pids":[1],"launcher":1,"ports":{"postgres":"5432","sandbox":70000}}', nothing],
    [
      '{"processes":[{"pid":1,"started":"x"},{"pid":2},7],"ports":{"postgres":5432},"url":"http://a","demo":true}',
      {
        processes: [{ pid: 1, started: 'x' }],
        ports: { postgres: 5_432 },
        url: 'http://a',
        demo: true,
        accounts: false,
      },
    ],
  ])('are read as far as they are whole: %s', (content, state) => {
    writeFileSync(join(folder.path, 'instance.json'), content);
    expect(evaluate('@tapedeck/launcher/instance', 'module.readState()')).toEqual(state);
  });

  it.each(['', '{"pid":', '{}', `{"pid":${process.pid},"started":"another time"}`])(
    'leave the lock to the next launcher when it contains %p',
    (content) => {
      writeFileSync(join(folder.path, 'lock'), content);
      expect(evaluate('@tapedeck/launcher/instance-lock', 'module.takeLock(file)')).toBeNull();
    },
  );

  it('leave the lock with a launcher that runs, and not with one that has ended', () => {
    const own = evaluate('@tapedeck/dev-postgres/process-identity', `module.identityOf(${process.pid})`);
    writeFileSync(join(folder.path, 'lock'), JSON.stringify(own));
    expect(evaluate('@tapedeck/launcher/instance-lock', 'module.takeLock(file)')).toEqual(own);
    writeFileSync(join(folder.path, 'lock'), '');
    evaluate('@tapedeck/launcher/instance-lock', 'module.takeLock(file)');
    const ended = readFileSync(join(folder.path, 'lock'), 'utf8');
    expect(evaluate('@tapedeck/launcher/instance-lock', 'module.takeLock(file)')).toBeNull();
    expect(readFileSync(join(folder.path, 'lock'), 'utf8')).not.toBe(ended);
  });
});
