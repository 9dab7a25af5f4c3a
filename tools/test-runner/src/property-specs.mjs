// Finds the tests that check properties with random values.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tapedeck/prepare';

const folders = ['apps', 'libs', 'e2e'];
const leftOut = /[/\\](?:node_modules|dist)[/\\]|\.(?:faults|screens|services)\.spec\.ts$/;

/** Paths of the test files whose properties make fewer runs in `npm test` than they could. @returns {Promise<string[]>} */
export const propertySpecs = async () => {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.map((name) => join(folder, name));
    }),
  );
  const specs = lists.flat().filter((path) => path.endsWith('.spec.ts') && !leftOut.test(path));
  const found = await Promise.all(
    specs.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      return /\b(?:check(?:Async)?Property|propertyRuns|searchEngineContract)\b/.test(text) ? [path] : [];
    }),
  );
  return found.flat().sort();
};
