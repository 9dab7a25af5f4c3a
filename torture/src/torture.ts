import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@tapedeck/kernel';
import { Pool } from 'pg';
import { startCluster, type Cluster } from './cluster.ts';
import { faults, pickFault, type Targets } from './faults.ts';
import { runImporter, type CompletedImport } from './importer.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { createRandom, type Random } from './random.ts';
import { startSearchServer, type SearchServer } from './search-server.ts';
import type { SearchLog } from './searcher.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { until } from './until.ts';
import { verifyIndex, waitForIndex, type IndexReport } from './verify-index.ts';
import {
  engineProblems,
  readModelProblems,
  waitForProjections,
  type ProductData,
} from './verify-read-models.ts';
import { verifyTape } from './verify-tape.ts';
import { signIn, startWork, storeAt, strategies, type Work } from './work.ts';

export type TortureOptions = Readonly<{
  faults: number;
  seed: number;
  /** The run goes without Elasticsearch where it is false, or where a server cannot be started. */
  withElasticsearch: boolean;
  /** The servers and logs are on a small disk of their own, where one can be mounted. */
  withSmallDisk: boolean;
  /** The faults to choose from; all when there are none. */
  wanted?: readonly string[];
  /** Called with a line about the progress. */
  say: (line: string) => void;
  /** Ends the run after the present fault; all processes are ended then, too. */
  signal?: AbortSignal;
}>;

export type TortureReport = Readonly<{
  /** How often each fault was injected. */
  injected: Readonly<Record<string, number>>;
  acknowledged: number;
  imports: number;
  events: number;
  searches: readonly SearchLog[];
  /** Undefined without Elasticsearch. */
  index: IndexReport | undefined;
  problems: readonly string[];
  logFolder: string;
}>;

/** Faults that last may overlap with this many others. */
const maxOpenFaults = 4;
const progressPerFault = 10;
/** A search server that starts needs up to a minute, and another fault may meet it meanwhile. */
const searchTimeoutMs = 180_000;

/** Both APIs answer again, also the one that has no other search engine than the server. */
const untilSearchesAreAnswered = async (
  fault: string,
  { searches }: Work,
  say: TortureOptions['say'],
): Promise<void> => {
  const mendedAt = performance.now();
  const before = searches.map(({ answered }) => answered);
  await until(
    `both APIs answer searches after "${fault}"`,
    () => searches.every(({ answered }, at) => answered > (before[at] ?? 0)),
    searchTimeoutMs,
  );
  const seconds = Math.round((performance.now() - mendedAt) / 1_000);
  say(`   both APIs answer searches ${seconds} s after "${fault}"`);
};

/** Injects the faults one after the other; those that last overlap with the next ones. */
const injectFaults = async (
  options: TortureOptions,
  targets: Targets,
  work: Work,
  random: Random,
): Promise<Readonly<Record<string, number>>> => {
  const injected: Record<string, number> = {};
  const open = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const progress = (): number => work.log.acknowledged.length + work.imports.length;
  for (let n = 1; n <= options.faults; n++) {
    options.signal?.throwIfAborted();
    work.assertRunning();
    const before = progress();
    const name = pickFault(random, targets, options.wanted ?? []);
    injected[name] = (injected[name] ?? 0) + 1;
    const fault = faults[name];
    if (!fault) throw new Error(`There is no fault "${name}".`);
    const running: Promise<void> = fault
      .inject(targets, random)
      .then(() =>
        fault.needs === 'searchServer' ? untilSearchesAreAnswered(name, work, options.say) : undefined,
      )
      .catch((error: unknown) => void failures.push(error))
      .finally(() => open.delete(running));
    open.add(running);
    if (fault.isExclusive) await running;
    else if (open.size >= maxOpenFaults) await Promise.race(open);
    if (failures.length > 0) throw failures[0];
    await until(`writers go on after "${name}"`, () => progress() >= before + progressPerFault, 90_000);
    options.say(`${n}. ${name}: ${progress()} changes acknowledged`);
  }
  await Promise.all(open);
  return injected;
};

const fillCatalogue = async (cluster: Cluster, personalDataKey: Buffer, seed: number): Promise<void> => {
  const { store, pool } = storeAt(cluster.url('tapedeck'), personalDataKey);
  const filled = new AbortController();
  const completed: CompletedImport[] = [];
  filled.abort();
  const signals = { finish: filled.signal, abort: new AbortController().signal };
  await runImporter({ store, strategies, seed, completed, ...signals, atLeast: 1 });
  await store.close();
  await pool.end();
};

const verify = async (
  cluster: Cluster,
  product: RunningProduct,
  work: Work,
  verifyItsIndex: (data: ProductData) => Promise<IndexReport | undefined>,
): Promise<Pick<TortureReport, 'events' | 'index' | 'problems'>> => {
  const { store, pool } = storeAt(cluster.url('tapedeck'), product.personalDataKey);
  const catalogue = new Pool({ connectionString: cluster.url('catalogue'), max: 4 });
  const data = { store, databases: { tapedeck: pool, catalogue } };
  try {
    await waitForProjections(data);
    const { acknowledged, refusals } = work.log;
    const tape = await verifyTape(cluster.url('tapedeck'), store, {
      acknowledged,
      imports: work.imports,
      followed: work.followed,
    });
    const readModels = await readModelProblems(data);
    const fresh = await product.startFreshApi();
    const cookie = await signIn([...product.origins, fresh], 'reader@tapedeck.example');
    const engines = await engineProblems(product.origins, fresh, cookie, await store.head());
    const index = await verifyItsIndex(data);
    const searches = work.searches.flatMap(({ problems }) => problems);
    const problems = [refusals, searches, tape.problems, readModels, engines, index?.problems ?? []].flat();
    return { events: tape.events, index, problems };
  } finally {
    await store.close();
    await pool.end();
    await catalogue.end();
  }
};

const searchServerFor = async ({
  withElasticsearch,
  say,
}: TortureOptions): Promise<SearchServer | undefined> => {
  const server = withElasticsearch
    ? await startSearchServer().catch((error: unknown) => messageOf(error))
    : 'it is left out';
  if (typeof server !== 'string') return server;
  say(`Without Elasticsearch: ${server}`);
  return undefined;
};

const smallDiskFor = async ({ withSmallDisk, say }: TortureOptions): Promise<SmallDisk | undefined> => {
  const disk = withSmallDisk
    ? await mountSmallDisk().catch((error: unknown) => messageOf(error))
    : 'it is left out';
  if (typeof disk !== 'string') return disk;
  say(`Without full disks: ${disk}`);
  return undefined;
};

/** The logs are on the small disk, which is to be unmounted. */
const copyLogs = async (from: string): Promise<string> => {
  const to = await mkdtemp(join(tmpdir(), 'tapedeck-torture-'));
  await cp(from, to, { recursive: true });
  return to;
};

/**
 * Runs the product with 16 writers, two APIs and two projectors on a replicated database, breaks a part of it again and
 * again, and then compares what is there with the answers to the writers and with a rebuild.
 *
 * @throws Error when the product does not go on after a fault.
 */
export const runTorture = async (options: TortureOptions): Promise<TortureReport> => {
  const random = createRandom(options.seed);
  const searchServer = await searchServerFor(options);
  const disk = await smallDiskFor(options);
  const cluster = await startCluster(disk?.path);
  let product: RunningProduct | undefined;
  let work: Work | undefined;
  let isSound = false;
  try {
    product = await startProduct(cluster, searchServer, disk?.path);
    await fillCatalogue(cluster, product.personalDataKey, options.seed);
    const firstIndex = searchServer && (await waitForIndex(searchServer.url()));
    const proxy = await cluster.createProxy();
    work = await startWork(product, proxy.url, options.seed, random);
    const targets: Targets = { cluster, clients: product.clients, proxies: [proxy], searchServer, disk };
    const injected = await injectFaults(options, targets, work, random);
    for (const { process } of product.clients) await process.ready();
    await work.finish();
    const verified = await verify(cluster, product, work, async (data) =>
      searchServer && firstIndex !== undefined
        ? verifyIndex(searchServer.url(), data, injected['search index deleted'] ? undefined : firstIndex)
        : undefined,
    );
    isSound = verified.problems.length === 0;
    const { logFolder: written } = product;
    const logFolder = isSound || !disk ? written : await copyLogs(written);
    return {
      injected,
      acknowledged: work.log.acknowledged.length,
      imports: work.imports.length,
      searches: work.searches,
      logFolder,
      ...verified,
    };
  } finally {
    work?.abort();
    await product?.stop(!isSound);
    await cluster.stop();
    await searchServer?.stop();
    await disk?.unmount();
  }
};
