// A real Elasticsearch for development and tests, without Docker: the distribution that is published for plugin
// authors, fetched by Maven. It has the core modules only and no security, and listens on the loopback address.
import { execFile } from 'node:child_process';
import { cp, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { dataFolder } from './instance.mjs';
import { freePort, makeFolder, passable, reachableFolder, systemFolder, systemUser } from './postgres.mjs';
import { root, runProgram } from './prepare.mjs';

const run = promisify(execFile);

const version = '8.19.9';
const unpackGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';
const artifact = `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${version}:zip`;
const longestStart = 300_000;
const longestStop = 30_000;

/** @typedef {{ folder: string, port: number, transportPort: number }} Place */

const home = () => join(root, '.cache', 'services', `elasticsearch-${version}`);
const wantedFolder = () => join(dataFolder(), 'services', 'elasticsearch');
const placeFile = () => join(wantedFolder(), 'place.json');

/** Where the server's data and ports are; undefined before its first start. @returns {Promise<Place | undefined>} */
const knownPlace = async () =>
  JSON.parse(await readFile(placeFile(), 'utf8').catch(() => 'null')) ?? undefined;

const urlOf = (/** @type {number} */ port) => `http://127.0.0.1:${port}`;

/** Why it cannot run here; undefined when Java and Maven are there. */
export const missingPrograms = async () => {
  for (const [program, word] of /** @type {const} */ ([
    ['java', '-version'],
    ['mvn', '--version'],
  ])) {
    const there = await run(program, [word]).catch(() => undefined);
    if (!there) return `there is no ${program}`;
  }
  return undefined;
};

const javaHome = async () => {
  const given = process.env.ES_JAVA_HOME || process.env.JAVA_HOME;
  if (given) return given;
  const { stderr } = await run('java', ['-XshowSettings:properties', '-version']);
  const [, found] = /java\.home = (.+)/.exec(stderr) ?? [];
  if (!found) throw new Error('The folder of Java cannot be found: set ES_JAVA_HOME to it.');
  return found.trim();
};

/** The program's folder, fetched and unpacked once. */
const fetchHome = async () => {
  if (await stat(home()).catch(() => undefined)) return home();
  const missing = await missingPrograms();
  if (missing) throw new Error(`Elasticsearch needs Java 17 and Maven: ${missing}.`);
  const unpacking = `${home()}.${process.pid}`;
  const program = join(unpacking, 'program');
  await mkdir(program, { recursive: true });
  // Maven remembers beneath the present folder what it has unpacked: that goes with the rest.
  await runProgram(
    'mvn',
    ['-q', '-B', unpackGoal, `-Dartifact=${artifact}`, `-DoutputDirectory=${program}`],
    {
      cwd: unpacking,
    },
  );
  const [inner] = await readdir(program);
  if (!inner) throw new Error('Maven has unpacked nothing.');
  await rename(join(program, inner), home()).catch(async (error) => {
    // Somebody else was first.
    if (!(await stat(home()).catch(() => undefined))) throw error;
  });
  await rm(unpacking, { recursive: true, force: true });
  return home();
};

/** As root the program must be readable by the system user, which it is not below a closed folder. */
const reachableHome = async () => {
  const fetched = await fetchHome();
  if (process.getuid?.() !== 0 || (await passable(fetched))) return fetched;
  const copy = join(systemFolder, `elasticsearch-${version}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  await cp(fetched, copy, { recursive: true });
  return copy;
};

/** A setting of a module that this distribution has not got would be fatal. @param {Place} place */
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

const isUp = (/** @type {Place} */ { port }) =>
  healthOf(port).then(
    (health) => health.cluster_name === 'tapedeck' && health.status !== 'red',
    () => false,
  );

/** @param {() => Promise<boolean>} condition @param {number} withinMs */
const eventually = async (condition, withinMs) => {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    if (await condition()) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
};

/** @param {Place} place */
const processOf = async ({ folder }) => {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '0'));
  const arguments_ = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    run('ps', ['-o', 'args=', '-p', String(pid)]).then(
      ({ stdout }) => stdout,
      () => '',
    ),
  );
  // Numbers of processes are used again.
  return pid > 0 && arguments_.includes(folder) ? pid : undefined;
};

/** @returns {Promise<Place>} */
const choosePlace = async (/** @type {number | undefined} */ wantedPort) => {
  const known = await knownPlace();
  const folder = await reachableFolder(wantedFolder(), () => {});
  const port = await freePort(wantedPort ?? known?.port);
  if (wantedPort !== undefined && port !== wantedPort) throw new Error(`Port ${wantedPort} is taken.`);
  return { folder, port, transportPort: await freePort(known?.transportPort) };
};

/** @param {Place} place @param {string} program @param {string} user */
const prepare = async (place, program, user) => {
  const owner = await systemUser(user);
  await mkdir(dirname(place.folder), { recursive: true, mode: 0o755 });
  await mkdir(dirname(placeFile()), { recursive: true });
  for (const part of ['', 'config', 'data', 'logs', 'tmp']) await makeFolder(join(place.folder, part), owner);
  const configuration = join(place.folder, 'config');
  await cp(join(program, 'config'), configuration, { recursive: true });
  await writeFile(join(configuration, 'elasticsearch.yml'), settingsOf(place));
  if (owner.uid !== undefined) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, configuration]);
  await writeFile(placeFile(), JSON.stringify(place));
  return owner;
};

/** The end of the newest log, for the sentence that says why a start has failed. @param {Place} place */
const lastWords = async ({ folder }) => {
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
 * Starts the server of this data folder and waits until it answers; one that runs already is left as it is.
 * @param {{ port?: number }} [options]
 * @returns {Promise<string>} its URL
 */
export const startElasticsearch = async ({ port } = {}) => {
  const known = await knownPlace();
  if (known && (await processOf(known)) && (await isUp(known))) return urlOf(known.port);
  const program = await reachableHome();
  const place = await choosePlace(port);
  const owner = await prepare(place, program, 'elasticsearch');
  const heap = '-Xms512m -Xmx512m';
  await run(join(program, 'bin', 'elasticsearch'), ['-d', '-p', join(place.folder, 'pid')], {
    ...owner,
    cwd: place.folder,
    env: {
      PATH: process.env.PATH,
      HOME: place.folder,
      ES_JAVA_HOME: await javaHome(),
      ES_JAVA_OPTS: process.env.ES_JAVA_OPTS || heap,
      ES_PATH_CONF: join(place.folder, 'config'),
      ES_TMPDIR: join(place.folder, 'tmp'),
    },
  }).catch(async (error) => {
    throw new Error(
      `Elasticsearch did not start: ${error.stderr || error.message}\n${await lastWords(place)}`,
    );
  });
  if (await eventually(() => isUp(place), longestStart)) return urlOf(place.port);
  throw new Error(`Elasticsearch did not answer within ${longestStart / 1_000} s: ${await lastWords(place)}`);
};

/** Ends the server of this data folder, in order; false when none was running. */
export const stopElasticsearch = async () => {
  const place = await knownPlace();
  const pid = place && (await processOf(place));
  if (!place || pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  const isGone = async () => (await processOf(place)) === undefined;
  if (!(await eventually(isGone, longestStop))) process.kill(pid, 'SIGKILL');
  return true;
};

/** One line about the server of this data folder. */
export const elasticsearchStatus = async () => {
  const place = await knownPlace();
  if (!place || (await processOf(place)) === undefined) return 'elasticsearch does not run';
  return `elasticsearch ${version} ${(await isUp(place)) ? 'runs' : 'starts'} at ${urlOf(place.port)}, data in ${resolve(place.folder)}`;
};
