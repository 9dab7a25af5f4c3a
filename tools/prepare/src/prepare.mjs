// Prepares a clone: installs dependencies that are missing and builds sources that have changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');
const stampFile = join(root, '.cache', 'build.json');

/**
 * Runs a program to its end; its output is shown only when it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<void>}
 */
export const runProgram = (program, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.once('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')} failed:\n${output.trim()}`));
    });
  });

/** @param {string} file */
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

const areDependenciesInstalled = async () => {
  const wanted = await readJson(join(root, 'package-lock.json'));
  const installed = await readJson(join(root, 'node_modules', '.package-lock.json')).catch(() => undefined);
  if (!installed) return false;
  return Object.entries(wanted.packages).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      entry.optional === true ||
      entry.link === true ||
      installed.packages[path]?.version === entry.version,
  );
};

/** Installs the packages of the lockfile without their install scripts. Returns false when they were installed already. */
export const installDependencies = async () => {
  if (await areDependenciesInstalled()) return false;
  await runProgram('npm', [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  return true;
};

/** @param {string} folder @returns {Promise<string[]>} */
const listFiles = async (folder) => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const lists = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? listFiles(path) : Promise.resolve([path]);
      }),
  );
  return lists.flat();
};

/** @param {readonly string[]} folders */
const fingerprint = async (folders) => {
  const files = (await Promise.all(folders.map((folder) => listFiles(join(root, folder))))).flat().sort();
  const hash = createHash('sha256');
  for (const file of [
    ...files,
    ...['package-lock.json', 'tsconfig.base.json'].map((name) => join(root, name)),
  ]) {
    const { size, mtimeMs } = await stat(file);
    hash.update(`${file}:${size}:${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const exists = (/** @type {string} */ path) =>
  stat(join(root, path)).then(
    () => true,
    () => false,
  );

/** Builds the server, the web client or both if their sources have changed. Returns what it built. */
export const build = async () => {
  const last = await readJson(stampFile).catch(() => ({}));
  const stamp = {
    server: await fingerprint(['libs', 'apps', 'bench', 'torture', 'tools']),
    web: await fingerprint(['libs', 'apps/web']),
  };
  const built = [];
  if (last.server !== stamp.server || !(await exists('apps/api/dist/main.js'))) {
    await runProgram(process.execPath, [join('node_modules', '@typescript', 'native', 'bin', 'tsc'), '-b']);
    built.push('server');
  }
  if (last.web !== stamp.web || !(await exists('apps/web/dist/site/index.html'))) {
    await runProgram(process.execPath, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'apps/web']);
    built.push('web');
  }
  if (built.length > 0) {
    await mkdir(dirname(stampFile), { recursive: true });
    await writeFile(stampFile, JSON.stringify(stamp));
  }
  return built;
};
