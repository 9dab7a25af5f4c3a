// The lockfile must name every platform's packages and no download address: npm writes less where a
// registry or a half-filled node_modules lets it, and a clone elsewhere can then not be installed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/** What is wrong with it, a line each. */
export const lockfileProblems = async () => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const names = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)),
  );
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...(/^https?:/.test(entry.resolved ?? '') ? [`${path} records a download address`] : []),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !names.has(name))
      .map((name) => `${path} needs ${name}, which is missing`),
  ]);
};
