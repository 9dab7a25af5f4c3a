// Runs a real Elasticsearch for development and tests without Docker: the distribution for plugin authors, downloaded
// with Maven. It has the core modules only and no security, and listens on the loopback address.
import { execFile } from 'node:child_process';
import { cp, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { dataFolder } from '@tapedeck/launcher/instance';
import { freePort } from '@tapedeck/dev-postgres';
import { root, runProgram } from '@tapedeck/prepare';
import {
  accessibleFolder,
  createFolder,
  isReadableByAll,
  systemFolder,
  systemUser,
} from '@tapedeck/dev-postgres/system-user';

const run = promisify(execFile);

const version = '8.19.9';
const unpackGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';
const artifact = `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${version}:zip`;
const startTimeoutMs = 300_000;
const stopTimeoutMs = 30_000;

/** @typedef {{ folder: string, port: number, transportPort: number }} Location */

const programFolder = () => join(root, '.cache', 'services', `elasticsearch-${version}`);
const preferredFolder = () => join(dataFolder(), 'services', 'elasticsearch');
const locationFile = () => join(preferredFolder(), 'place.json');

/** The folder and ports of the server; undefined before its first start. @returns {Promise<Location | undefined>} */
const storedLocation = async () =>
  JSON.parse(await readFile(locationFile(), 'utf8').catch(() => 'null')) ?? undefined;

const urlOf = (/** @type {number} */ port) => `http://127.0.0.1:${port}`;

/** The reason why it cannot run on this machine; undefined when Java and Maven are installed. */
export const missingPrograms = async () => {
  for (const [program, argument] of /** @type {const} */ ([
    ['java', '-version'],
    ['mvn', '--version'],
  ])) {
    const output = await run(program, [argument]).catch(() => undefined);
    if (!output) return `${program} is not installed`;
  }
  return undefined;
};

const javaHome = async () => {
  const configured = process.env.ES_JAVA_HOME || process.env.JAVA_HOME;
  if (configured) return configured;
  const { stderr } = await run('java', ['-XshowSettings:properties', '-version']);
  const [, found] = /java\.home = (.+)/.exec(stderr) ?? [];
  if (!found) throw new Error('Java was not found: set ES_JAVA_HOME to its folder.');
  return found.trim();
};

/** Downloads and unpacks the program at the first call. Returns its folder. */
const downloadProgram = async () => {
  if (await stat(programFolder()).catch(() => undefined)) return programFolder();
  const missing = await missingPrograms();
  if (missing) throw new Error(`Elasticsearch needs Java 17 and Maven: ${missing}.`);
  const unpacking = `${programFolder()}.${process.pid}`;
  const program = join(unpacking, 'program');
  await mkdir(program, { recursive: true });
  // Maven writes marker files into the working directory: they are deleted with it.
  await runProgram(
    'mvn',
    ['-q', '-B', unpackGoal, `-Dartifact=${artifact}`, `-DoutputDirectory=${program}`],
    {
      cwd: unpacking,
    },
  );
  const [inner] = await readdir(program);
  if (!inner) throw new Error('Maven unpacked nothing.');
  await rename(join(program, inner), programFolder()).catch(async (error) => {
    // Another process was faster.
    if (!(await stat(programFolder()).catch(() => undefined))) throw error;
  });
  await rm(unpacking, { recursive: true, force: true });
  return programFolder();
};

/** As root the server runs as a system user: the program is copied if that user cannot read it. */
const readableProgram = async () => {
  const downloaded = await downloadProgram();
  if (process.getuid?.() !== 0 || (await isReadableByAll(downloaded))) return downloaded;
  const copy = join(systemFolder, `elasticsearch-${version}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  await cp(downloaded, copy, { recursive: true });
  return copy;
};

/** Only settings of the core modules: an unknown setting prevents the start. @param {Location} location */
const settingsOf = ({ folder, port, transportPort }) => `
cluster.name: tapedeck
node.name: tapedeck
network.host: 127.0.0.1
http.port: ${port}
transport.port: ${transportPort}
discovery.type: single-node
path.data: ${join(folder, 'data')}
path.logs: ${join(folder, 'logs')}
xpack.security.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
`;

/** @param {number} port */
const healthOf = async (port) => {
  const answer = await fetch(`${urlOf(port)}/_cluster/health`, { signal: AbortSignal.timeout(2_000) });
  return /** @type {{ status: string, cluster_name: string }} */ (await answer.json());
};

const isUp = (/** @type {Location} */ { port }) =>
  healthOf(port).then(
    (health) => health.cluster_name === 'tapedeck' && health.status !== 'red',
    () => false,
  );

/** @param {() => Promise<boolean>} condition @param {number} withinMs */
const waitFor = async (condition, withinMs) => {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await condition()) return true;
    await setTimeout(100);
  }
  return false;
};

/** @param {Location} location */
const processOf = async ({ folder }) => {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '0'));
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    run('ps', ['-o', 'args=', '-p', String(pid)]).then(
      ({ stdout }) => stdout,
      () => '',
    ),
  );
  // Process ids are reused.
  return pid > 0 && commandLine.includes(folder) ? pid : undefined;
};

/** @returns {Promise<Location>} */
const chooseLocation = async (/** @type {number | undefined} */ requestedPort) => {
  const stored = await storedLocation();
  const folder = await accessibleFolder(preferredFolder(), () => {});
  const port = await freePort(requestedPort ?? stored?.port);
  if (requestedPort !== undefined && port !== requestedPort)
    throw new Error(`Port ${requestedPort} is taken.`);
  return { folder, port, transportPort: await freePort(stored?.transportPort) };
};

/** @param {Location} location @param {string} program @param {string} user */
const prepareFolders = async (location, program, user) => {
  const owner = await systemUser(user);
  await mkdir(dirname(location.folder), { recursive: true, mode: 0o755 });
  await mkdir(dirname(locationFile()), { recursive: true });
  for (const part of ['', 'config', 'data', 'logs', 'tmp'])
    await createFolder(join(location.folder, part), owner);
  const configuration = join(location.folder, 'config');
  await cp(join(program, 'config'), configuration, { recursive: true });
  await writeFile(join(configuration, 'elasticsearch.yml'), settingsOf(location));
  if (owner.uid !== undefined) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, configuration]);
  await writeFile(locationFile(), JSON.stringify(location));
  return owner;
};

/** The end of the log, for the message about a failed start. @param {Location} location */
const endOfLog = async ({ folder }) => {
  const file = join(folder, 'logs', 'tapedeck.log');
  const log = await open(file).catch(() => undefined);
  if (!log) return `there is no log in ${dirname(file)}`;
  const { size } = await log.stat();
  const from = Math.max(0, size - 2_000);
  const { buffer } = await log.read(Buffer.alloc(size - from), 0, size - from, from);
  await log.close();
  return `${file} ends:\n${buffer.toString()}`;
};

/**
 * Starts the server of this data folder, unless it runs, and waits until it answers.
 * @param {{ port?: number }} [options]
 * @returns {Promise<string>} its URL
 */
export const startElasticsearch = async ({ port } = {}) => {
  const stored = await storedLocation();
  if (stored && (await processOf(stored)) && (await isUp(stored))) return urlOf(stored.port);
  const program = await readableProgram();
  const location = await chooseLocation(port);
  const owner = await prepareFolders(location, program, 'elasticsearch');
  const heap = '-Xms512m -Xmx512m';
  await run(join(program, 'bin', 'elasticsearch'), ['-d', '-p', join(location.folder, 'pid')], {
    ...owner,
    cwd: location.folder,
    env: {
      PATH: process.env.PATH,
      HOME: location.folder,
      ES_JAVA_HOME: await javaHome(),
      ES_JAVA_OPTS: process.env.ES_JAVA_OPTS || heap,
      ES_PATH_CONF: join(location.folder, 'config'),
      ES_TMPDIR: join(location.folder, 'tmp'),
    },
  }).catch(async (error) => {
    throw new Error(
      `Elasticsearch did not start: ${error.stderr || error.message}\n${await endOfLog(location)}`,
    );
  });
  if (await waitFor(() => isUp(location), startTimeoutMs)) return urlOf(location.port);
  throw new Error(
    `Elasticsearch did not answer within ${startTimeoutMs / 1_000} s: ${await endOfLog(location)}`,
  );
};

/** Stops the server of this data folder. Returns false when it was not running. */
export const stopElasticsearch = async () => {
  const location = await storedLocation();
  const pid = location && (await processOf(location));
  if (!location || pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  const hasEnded = async () => (await processOf(location)) === undefined;
  if (!(await waitFor(hasEnded, stopTimeoutMs))) process.kill(pid, 'SIGKILL');
  return true;
};

/** One line about the state of the server. */
export const elasticsearchStatus = async () => {
  const location = await storedLocation();
  if (!location || (await processOf(location)) === undefined) return 'elasticsearch is stopped';
  return `elasticsearch ${version} ${(await isUp(location)) ? 'runs' : 'starts'} at ${urlOf(location.port)}, data in ${resolve(location.folder)}`;
};
