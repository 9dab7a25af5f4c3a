import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventTypes } from '@tapedeck/composition/modules';
import type { EventStore } from '@tapedeck/eventing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { demoRecords } from '@tapedeck/strategies/demo';
import { Pool } from 'pg';
import { runFollower } from './follower.ts';
import { runImporter, type CompletedImport } from './importer.ts';
import type { RunningProduct } from './product.ts';
import { createRandom, type Random } from './random.ts';
import { runSearcher, type SearchLog } from './searcher.ts';
import { until } from './until.ts';
import { runWriter, type WriterLog } from './writers.ts';

const writersWithAccount = 8;
/** Writers that share one account, and so one stream. */
const writersOfOneAccount = 4;
const importers = 4;
/** In the catalogue from the beginning. */
export const strategies = 240;
const strategiesPerImport = 60;
export type Work = Readonly<{
  log: WriterLog;
  imports: CompletedImport[];
  followed: bigint[];
  searches: readonly SearchLog[];
  /** @throws what has ended a writer. */
  assertRunning: () => void;
  /** Lets the writers finish what is under way, and the follower reach the end of the tape. */
  finish: () => Promise<void>;
  abort: () => void;
}>;

export const storeAt = (
  url: string,
  personalDataKey: Buffer,
): Readonly<{ store: EventStore; pool: Pool }> => {
  const pool = new Pool({ connectionString: url, max: 8, application_name: 'tapedeck torture' });
  pool.on('error', () => {});
  const keys = createPersonalDataKeys({ pool, masterKey: personalDataKey });
  return { pool, store: createPostgresEventStore({ url, types: eventTypes, keys }) };
};

/** Signs in at every API and returns the cookies for all of them: each has a cookie of its own. */
export const signIn = async (origins: readonly [string, ...string[]], email: string): Promise<string> => {
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

/** Starts 16 writers, a follower of the tape and a searcher for each API. */
export const startWork = async (
  { origins, personalDataKey }: RunningProduct,
  proxyUrl: string,
  seed: number,
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
  const reader = await signIn(origins, 'searcher@tapedeck.example');
  const searches = origins.map((origin): SearchLog => ({
    origin,
    answered: 0,
    unavailable: 0,
    problems: [],
  }));
  running.push(...searches.map((log) => runSearcher({ cookie: reader, log, finish: finishing.signal })));
  const failures: unknown[] = [];
  const finished = Promise.all(running);
  finished.catch((error: unknown) => failures.push(error));
  return {
    log,
    imports,
    followed,
    searches,
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
