// The lockfile must list the optional packages of every platform and no download address. npm writes a different one
// with a private registry or an incomplete node_modules, and other clones can then not be installed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tapedeck/prepare';

/** A line for each problem of package-lock.json. */
export const lockfileProblems = async () => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const names = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)),
  );
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...(/^https?:/.test(entry.resolved ?? '') ? [`${path} has a download address`] : []),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !names.has(name))
      .map((name) => `${path} needs ${name}, which is missing`),
  ]);
};
