import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventTypes } from '@tapedeck/composition/modules';
import type { EventStore } from '@tapedeck/eventing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { demoRecords } from '@tapedeck/strategies/demo';
import { Pool } from 'pg';
import { startCluster, type Cluster } from './cluster.ts';
import { faults, pickFault, type Targets } from './faults.ts';
import { runFollower } from './follower.ts';
import { runImporter, type CompletedImport } from './importer.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { createRandom, type Random } from './random.ts';
import { until } from './until.ts';
import { engineProblems, readModelProblems, waitForProjections } from './verify-read-models.ts';
import { verifyTape } from './verify-tape.ts';
import { runWriter, type WriterLog } from './writers.ts';

export type TortureOptions = Readonly<{
  faults: number;
  seed: number;
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
  problems: readonly string[];
  logFolder: string;
}>;

const writersWithAccount = 8;
/** Writers that share one account, and so one stream. */
const writersOfOneAccount = 4;
const importers = 4;
const strategies = 240;
const strategiesPerImport = 60;
/** Faults that last may overlap with this many others. */
const maxOpenFaults = 3;
const progressPerFault = 10;

type Work = Readonly<{
  log: WriterLog;
  imports: CompletedImport[];
  followed: bigint[];
  /** @throws what has ended a writer. */
  assertRunning: () => void;
  /** Lets the writers finish what is under way, and the follower reach the end of the tape. */
  finish: () => Promise<void>;
  abort: () => void;
}>;

const storeAt = (url: string, personalDataKey: Buffer): Readonly<{ store: EventStore; pool: Pool }> => {
  const pool = new Pool({ connectionString: url, max: 8, application_name: 'tapedeck torture' });
  pool.on('error', () => {});
  const keys = createPersonalDataKeys({ pool, masterKey: personalDataKey });
  return { pool, store: createPostgresEventStore({ url, types: eventTypes, keys }) };
};

/** Signs in at every API and returns the cookies for all of them: each has a cookie of its own. */
const signIn = async (origins: readonly [string, ...string[]], email: string): Promise<string> => {
  const browser = createBrowser();
  const query = new URLSearchParams({ login_hint: email, returnTo: '/' });
  for (const origin of origins) {
    await browser.visit(`${origin}/api/login?${query.toString()}`);
    const { status } = await browser.request(`${origin}/api/auth/user`);
    if (status !== 200) throw new Error(`${email} could not be signed in: status ${status}.`);
  }
  return browser.cookieHeader(origins[0]);
};

const at = (proxyUrl: string, database: string): string => {
  const url = new URL(proxyUrl);
  url.pathname = `/${database}`;
  return url.href;
};

/** Starts 16 writers and a follower. */
const startWork = async (
  { origins, personalDataKey }: RunningProduct,
  proxyUrl: string,
  { seed }: TortureOptions,
  random: Random,
): Promise<Work> => {
  const { store, pool } = storeAt(at(proxyUrl, 'tapedeck'), personalDataKey);
  const [finishing, aborting] = [new AbortController(), new AbortController()];
  const signals = { finish: finishing.signal, abort: aborting.signal };
  const log: WriterLog = { acknowledged: [], attempts: 0, refusals: [] };
  const imports: CompletedImport[] = [];
  const followed: bigint[] = [];

  const following = new AbortController();
  const follower = runFollower(store, followed, following.signal);
  const shared = await signIn(origins, 'shared@tapedeck.example');
  const cookies: string[] = [];
  for (let n = 0; n < writersWithAccount; n++) {
    cookies.push(await signIn(origins, `writer-${n}@tapedeck.example`));
  }
  for (let n = 0; n < writersOfOneAccount; n++) cookies.push(shared);
  const urlIds = [...demoRecords({ count: strategies, seed, code: false })].map(({ url_id }) => url_id);
  const perWriter = Math.floor(strategies / cookies.length);
  const running = [
    ...cookies.map((cookie, n) =>
      runWriter({
        name: `w${n}`,
        cookie,
        origins,
        strategies: urlIds.slice(n * perWriter, (n + 1) * perWriter),
        random: createRandom(seed + n),
        log,
        ...signals,
      }),
    ),
    ...Array.from({ length: importers }, (_, n) =>
      runImporter({
        store,
        strategies: strategiesPerImport,
        seed: random.below(1_000_000_000) + n,
        completed: imports,
        ...signals,
      }),
    ),
  ];
  const failures: unknown[] = [];
  const finished = Promise.all(running);
  finished.catch((error: unknown) => failures.push(error));
  return {
    log,
    imports,
    followed,
    assertRunning: () => {
      if (failures.length > 0) throw failures[0];
    },
    abort: () => {
      for (const controller of [finishing, aborting, following]) controller.abort();
    },
    finish: async () => {
      finishing.abort();
      await finished;
      const head = await store.head();
      await until('the follower reaches the end of the tape', () => (followed.at(-1) ?? 0n) >= head);
      following.abort();
      await follower;
      await store.close();
      await pool.end();
    },
  };
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
    const name = pickFault(random);
    injected[name] = (injected[name] ?? 0) + 1;
    const fault = faults[name];
    if (!fault) throw new Error(`There is no fault "${name}".`);
    const running: Promise<void> = fault
      .inject(targets, random)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => open.delete(running));
    open.add(running);
    if (fault.isExclusive || open.size >= maxOpenFaults) await Promise.all(open);
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
): Promise<Readonly<{ events: number; problems: readonly string[] }>> => {
  const { store, pool } = storeAt(cluster.url('tapedeck'), product.personalDataKey);
  const catalogue = new Pool({ connectionString: cluster.url('catalogue'), max: 4 });
  const data = { store, databases: { tapedeck: pool, catalogue } };
  try {
    await waitForProjections(data);
    const { acknowledged, refusals } = work.log;
    const tape = await verifyTape(cluster.url('tapedeck'), {
      acknowledged,
      imports: work.imports,
      followed: work.followed,
    });
    const readModels = await readModelProblems(data);
    const fresh = await product.startFreshApi();
    const cookie = await signIn([...product.origins, fresh], 'reader@tapedeck.example');
    const engines = await engineProblems(product.origins, fresh, cookie, await store.head());
    return { events: tape.events, problems: [...refusals, ...tape.problems, ...readModels, ...engines] };
  } finally {
    await store.close();
    await pool.end();
    await catalogue.end();
  }
};

/**
 * Runs the product with 16 writers, two APIs and two projectors on a replicated database, breaks a part of it again and
 * again, and then compares what is there with what the writers were told and with a rebuild.
 *
 * @throws Error when the product does not go on after a fault.
 */
export const runTorture = async (options: TortureOptions): Promise<TortureReport> => {
  const random = createRandom(options.seed);
  const cluster = await startCluster();
  let product: RunningProduct | undefined;
  let work: Work | undefined;
  let isSound = false;
  try {
    product = await startProduct(cluster);
    await fillCatalogue(cluster, product.personalDataKey, options.seed);
    const proxy = await cluster.createProxy();
    work = await startWork(product, proxy.url, options, random);
    const targets: Targets = { cluster, clients: product.clients, proxies: [proxy] };
    const injected = await injectFaults(options, targets, work, random);
    for (const { process } of product.clients) await process.ready();
    await work.finish();
    const { events, problems } = await verify(cluster, product, work);
    isSound = problems.length === 0;
    const { logFolder } = product;
    return {
      injected,
      acknowledged: work.log.acknowledged.length,
      imports: work.imports.length,
      events,
      problems,
      logFolder,
    };
  } finally {
    work?.abort();
    await product?.stop(!isSound);
    await cluster.stop();
  }
};
