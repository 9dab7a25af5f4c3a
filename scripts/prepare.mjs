// From a fresh clone to something that runs: dependencies when they are missing, build when sources changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, '.cache', 'build.json');

/**
 * Runs a program to its end; its output is shown only when it fails.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ env?: NodeJS.ProcessEnv, loud?: boolean, cwd?: string }} [options]
 * @returns {Promise<void>}
 */
export const runProgram = (program, words, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: options.loud ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.once('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${words.join(' ')} failed:\n${output.trim()}`));
    });
  });

/** @param {string} file */
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

const dependenciesAreThere = async () => {
  const wanted = await readJson(join(root, 'package-lock.json'));
  const there = await readJson(join(root, 'node_modules', '.package-lock.json')).catch(() => undefined);
  if (!there) return false;
  return Object.entries(wanted.packages).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      entry.optional === true ||
      entry.link === true ||
      there.packages[path]?.version === entry.version,
  );
};

/** Installs what the lockfile says, without running any package's install script. Returns whether it had to. */
export const installDependencies = async () => {
  if (await dependenciesAreThere()) return false;
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

/** Builds what has changed since the last build: `server`, `web`, both or nothing. Returns what it built. */
export const build = async () => {
  const known = await readJson(stampFile).catch(() => ({}));
  const stamp = {
    server: await fingerprint(['libs', 'apps', 'bench']),
    web: await fingerprint(['libs', 'apps/web']),
  };
  const built = [];
  if (known.server !== stamp.server || !(await exists('apps/api/dist/main.js'))) {
    await runProgram(process.execPath, [join('node_modules', '@typescript', 'native', 'bin', 'tsc'), '-b']);
    built.push('server');
  }
  if (known.web !== stamp.web || !(await exists('apps/web/dist/site/index.html'))) {
    await runProgram(process.execPath, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'apps/web']);
    built.push('web');
  }
  if (built.length > 0) {
    await mkdir(dirname(stampFile), { recursive: true });
    await writeFile(stampFile, JSON.stringify(stamp));
  }
  return built;
};
