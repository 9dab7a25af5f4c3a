import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

/** Prints the address of each module that is imported. */
const hook = `
  import { writeSync } from 'node:fs';
  export const resolve = async (specifier, context, next) => {
    const found = await next(specifier, context);
    writeSync(1, found.url + '\\n');
    return found;
  };`;
const dataUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
const registerHook = dataUrl(
  `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))});`,
);

/** The packages from npm that a new process loads with the built file. */
const packagesOf = async (file: string): Promise<readonly string[]> => {
  const url = new URL(`../dist/${file}`, import.meta.url).href;
  const code = `await import(${JSON.stringify(url)});`;
  const { stdout } = await run(process.execPath, [
    `--import=${registerHook}`,
    '--input-type=module',
    `--eval=${code}`,
  ]);
  expect(stdout).toContain(`/dist/${file}`);
  const names = stdout
    .split('\n')
    .flatMap((line) => /\/node_modules\/(?<name>[^/]+)\//.exec(line)?.[1] ?? []);
  return [...new Set(names)].sort();
};

describe('the entry `core` of eventing', () => {
  it('loads no database client, no cache and no metrics client', async () => {
    expect(await packagesOf('core.js')).toEqual([]);
  });

  it('is smaller than the whole entry, which loads a cache and a metrics client', async () => {
    expect(await packagesOf('index.js')).toEqual(expect.arrayContaining(['lru-cache', 'prom-client']));
  });
});
