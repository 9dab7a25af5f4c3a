// Builds the sources that have changed since the last build.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleOf } from './programs.mjs';
import { root, runProgram } from './run-program.mjs';

/** @typedef {'types' | 'server' | 'web'} Part `types`: everything is compiled, and its types are checked */

const stampFile = join(root, '.cache', 'build.json');
const tsc = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
const bundle = [join('tools', 'prepare', 'src', 'bundle.mjs')];
const vite = join('node_modules', 'vite', 'bin', 'vite.js');

/** @type {Readonly<Record<Part, { folders: readonly string[], result: string, commands: readonly (readonly string[])[] }>>} */
const parts = {
  types: {
    folders: ['libs', 'apps', 'bench', 'torture', 'e2e', 'tools'],
    result: 'tools/checks/dist/run-checks.d.mts',
    commands: [[tsc, '-b'], bundle],
  },
  server: {
    folders: [
      'libs',
      'apps/api',
      'apps/capture',
      'apps/projector',
      'apps/sandbox',
      'tools/dev-postgres',
      'tools/prepare',
    ],
    result: bundleOf('api'),
    // What is to run was checked before it was committed; without the check it is compiled in a quarter of the time.
    commands: [
      [tsc, '-b', '--noCheck', 'apps/api', 'apps/capture', 'apps/projector', 'apps/sandbox'],
      bundle,
    ],
  },
  web: {
    folders: ['libs', 'apps/web'],
    result: 'apps/web/dist/site/index.html',
    commands: [[vite, 'build', 'apps/web']],
  },
};

/** @param {string} folder @returns {Promise<string[]>} `path:size:time` of each file */
const describeFiles = async (folder) => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const lists = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return describeFiles(path);
        const { size, mtimeMs } = await stat(path);
        return [`${path}:${size}:${mtimeMs}`];
      }),
  );
  return lists.flat();
};

/** Returns the fingerprint of a part; reads each folder once for all parts. */
const createFingerprints = () => {
  /** @type {Map<string, Promise<string[]>>} */
  const read = new Map();
  const filesOf = (/** @type {string} */ folder) => {
    const files = read.get(folder) ?? describeFiles(join(root, folder));
    read.set(folder, files);
    return files;
  };
  /** @param {Part} part */
  return async (part) => {
    const files = (await Promise.all(parts[part].folders.map(filesOf))).flat().sort();
    const hash = createHash('sha256').update(files.join('\n'));
    for (const name of ['package-lock.json', 'tsconfig.base.json'])
      hash.update(await readFile(join(root, name)));
    return hash.digest('hex');
  };
};

const exists = (/** @type {string} */ path) =>
  stat(join(root, path)).then(
    () => true,
    () => false,
  );

/** @returns {Promise<Partial<Record<Part, string>>>} */
const readStamps = async () => JSON.parse(await readFile(stampFile, 'utf8').catch(() => '{}'));

/** Builds several parts at once, and returns those that had changed. @param {readonly Part[]} wanted */
const buildParts = async (wanted) => {
  const fingerprintOf = createFingerprints();
  const stamps = await readStamps().catch(() => ({}));
  const built = await Promise.allSettled(
    wanted.map(async (part) => {
      const stamp = await fingerprintOf(part);
      if (stamps[part] === stamp && (await exists(parts[part].result))) return undefined;
      for (const command of parts[part].commands) await runProgram(process.execPath, command);
      return { part, stamp };
    }),
  );
  const done = built.flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.value] : [],
  );
  if (done.length > 0) {
    const ofTypes = done.some(({ part }) => part === 'types')
      ? { server: await fingerprintOf('server') }
      : {};
    const next = {
      ...stamps,
      ...ofTypes,
      ...Object.fromEntries(done.map(({ part, stamp }) => [part, stamp])),
    };
    await mkdir(dirname(stampFile), { recursive: true });
    await writeFile(stampFile, JSON.stringify(next));
  }
  for (const result of built) if (result.status === 'rejected') throw result.reason;
  return done.map(({ part }) => part);
};

/** What runs: the server, whose types are not checked, and the web client. */
export const buildProduct = () => buildParts(['server', 'web']);

/** Everything, with its types checked. */
export const buildAll = () => buildParts(['types', 'web']);
