// Installs the packages of the lockfile that are missing, without their install scripts.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runProgram } from './run-program.mjs';

/**
 * @typedef {{
 *   version?: string,
 *   link?: boolean,
 *   optional?: boolean,
 *   resolved?: string,
 *   dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>,
 * }} LockEntry
 * @typedef {Readonly<Record<string, LockEntry>>} LockedPackages by path, as in a lockfile
 */

/** What builds and runs the product. Their packages are half of all; the others check, test and measure it. */
const workspacesOfProduct = [
  'apps/api',
  'apps/capture',
  'apps/projector',
  'apps/sandbox',
  'apps/web',
  'tools/launcher',
  'tools/prepare',
];

/** Where Node finds a package from a folder. @param {LockedPackages} packages @param {string} from @param {string} name */
const locate = (packages, from, name) => {
  for (let folder = from; ;) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
    const parent = folder.lastIndexOf('/');
    folder = parent < 0 ? '' : folder.slice(0, parent);
  }
};

/**
 * The paths of all packages that some workspaces need, also those that other workspaces need for them.
 * @param {LockedPackages} packages @param {readonly string[]} workspaces
 */
export const packagesOf = (packages, workspaces) => {
  const paths = new Set(workspaces);
  for (const path of paths) {
    const entry = packages[path];
    if (entry?.link && entry.resolved !== undefined) paths.add(entry.resolved);
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.devDependencies })) {
      const found = locate(packages, path, name);
      if (found !== undefined) paths.add(found);
    }
  }
  return [...paths].filter((path) => path.includes('node_modules/'));
};

/** @param {string} file @returns {Promise<LockedPackages | undefined>} */
const readLock = async (file) =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text).packages,
    () => undefined,
  );

/**
 * The packages that are missing on the disk, or installed in another version.
 * @param {string} folder @param {readonly string[]} [workspaces] all unless given
 */
export const missingPackages = async (folder, workspaces) => {
  const [wanted, installed] = await Promise.all([
    readLock(join(folder, 'package-lock.json')),
    readLock(join(folder, 'node_modules', '.package-lock.json')),
  ]);
  if (!wanted) throw new Error(`${folder} has no package-lock.json.`);
  const paths = workspaces
    ? packagesOf(wanted, workspaces)
    : Object.keys(wanted).filter((path) => path.includes('node_modules/'));
  const isMissing = await Promise.all(
    paths.map(async (path) => {
      const entry = wanted[path];
      const found = installed?.[path];
      // It may be for another system.
      if (entry?.optional && !found) return false;
      if (!entry?.link && found?.version !== entry?.version) return true;
      return !(await stat(join(folder, path)).catch(() => undefined));
    }),
  );
  return paths.filter((_, index) => isMissing[index]);
};

/** @param {readonly string[]} [workspaces] */
const install = async (workspaces) => {
  if ((await missingPackages(root, workspaces)).length === 0) return false;
  const isFresh = !(await stat(join(root, 'node_modules')).catch(() => undefined));
  await runProgram('npm', [
    // The second adds what is missing and leaves the rest, also what other workspaces need.
    ...(isFresh ? ['ci'] : ['install', '--no-save']),
    '--ignore-scripts',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(workspaces ?? []).map((workspace) => `--workspace=${workspace}`),
  ]);
  return true;
};

/** For a command that builds and runs the product. Returns whether anything was missing. */
export const installForProduct = () => install(workspacesOfProduct);

/** For a command that checks, tests or measures it. Returns whether anything was missing. */
export const installAll = () => install();
