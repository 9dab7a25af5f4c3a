import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import { savedSearchRoutes } from '@tapedeck/saved-searches/contract';
import { sqlConsoleRoutes } from '@tapedeck/sql-console/contract';
import { demoRecords } from '@tapedeck/strategies/demo';
import pg from 'pg';
import { findInFiles, findInTables, type Finding } from './find-text.ts';

/** Each word is part of one thing that the product learns about the member. The provider makes the names of the address. */
const words = {
  firstName: 'zanzibarquokka',
  lastName: 'flumadiddle',
  discordEmail: 'wobblegongs',
  tradingViewUsername: 'snickersnee',
  tag: 'bumfuzzlement',
  searchName: 'cattywampus',
  searchText: 'widdershins',
  reason: 'gardyloooo',
  statement: 'collywobbles',
  statementName: 'taradiddle',
} as const;
const email = `${words.firstName}.${words.lastName}@example.com`;
const control = 'xylopolistcontrol';
const timeoutMs = 180_000;

const folder = temporaryFolder();
let product: Product;
let admin: pg.Client;

beforeAll(async () => {
  product = await startProduct({
    dataFolder: folder.path,
    env: { DEMO_CATALOGUE: '50', LOG_LEVEL: 'trace' },
  });
  admin = new pg.Client({ connectionString: product.databaseUrl('tapedeck') });
  await admin.connect();
}, timeoutMs);
afterAll(async () => {
  await admin.end();
  await product.stop();
  folder.remove();
}, timeoutMs);

const signIn = async (): Promise<Browser> => {
  const browser = createBrowser();
  await browser.visit(`${product.url}${identityRoutes.login}?login_hint=${encodeURIComponent(email)}`);
  return browser;
};

const send = async (browser: Browser, method: string, path: string, body: unknown): Promise<number> => {
  const headers = { 'content-type': 'application/json', origin: new URL(product.url).origin };
  const init = { method, headers, body: JSON.stringify(body) };
  return (await browser.request(`${product.url}${path}`, init)).status;
};

const findEverywhere = async (texts: readonly string[]): Promise<readonly Finding[]> => [
  ...(await findInTables(product.databaseUrl('tapedeck'), texts)),
  ...findInFiles(folder.path, texts),
];

const rowsOf = async (table: string, id: string): Promise<number> => {
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from read_models.${table} where account_id = $1`,
    [id],
  );
  return rows[0]?.n ?? 0;
};

/** What the projector has not completed for the account, which is not known before its effect has seen the event. */
const pendingEffects = async (id: string): Promise<readonly unknown[]> => {
  const { rows } = await admin.query(
    `select 'not seen' as state
      where not exists (
        select from projection_checkpoints
         where projection = 'account-access'
           and position >= (select max(position) from tape_events where stream = 'account-' || $1))
     union all
     select coalesce(error, 'waits') from reaction_pending_events
      where reaction = 'account-access' and stream = 'account-' || $1`,
    [id],
  );
  return rows;
};

const grantRole = (role: string): string =>
  execFileSync(
    process.execPath,
    ['scripts/program.mjs', 'role', 'grant', role, email, '--reason', `${words.reason} on call`],
    { env: { ...process.env, DATA_DIR: folder.path }, encoding: 'utf8' },
  );

describe('a deleted account', () => {
  it(
    'is in clear nowhere on the disk, neither before its deletion nor after it',
    async () => {
      const [strategy] = demoRecords({ count: 1 });
      await signIn();
      for (const role of ['support', 'admin'])
        expect(grantRole(role)).toContain(`has the role ${role} from the next sign-in on.`);
      const browser = await signIn();
      const user = await browser.request(`${product.url}${identityRoutes.user}`);
      const { id, firstName } = (await user.json()) as { id: string; firstName: string };
      expect(firstName.toLowerCase()).toBe(words.firstName);
      const profile = {
        discordEmail: `${words.discordEmail}@example.com`,
        tradingViewUsername: words.tradingViewUsername,
      };
      expect(await send(browser, 'POST', identityRoutes.completeProfile, profile)).toBe(200);
      const favourite = { urlId: strategy?.url_id, tags: [words.tag] };
      expect(await send(browser, 'POST', favouriteRoutes.list, favourite)).toBe(201);
      const search = { name: words.searchName, query: `search=${words.searchText}` };
      expect(await send(browser, 'POST', savedSearchRoutes.searches, search)).toBe(201);
      const sqlQuery = `select title from strategies where title = '${words.statement}'`;
      expect(await send(browser, 'POST', sqlConsoleRoutes.execute, { sqlQuery })).toBe(200);
      const wrong = `select ${words.statement}`;
      expect(await send(browser, 'POST', sqlConsoleRoutes.execute, { sqlQuery: wrong })).toBe(200);
      const statement = { name: words.statementName, sqlQuery };
      expect(await send(browser, 'POST', sqlConsoleRoutes.saved, statement)).toBe(201);
      await browser.request(`${product.url}${explorerRoutes.explore}?search=${words.searchText}`);
      await eventually(async () => {
        for (const table of ['accounts', 'favourites', 'saved_searches', 'saved_sql_statements'])
          expect([table, await rowsOf(table, id)]).toEqual([table, 1]);
      });

      const texts = Object.values(words);
      await admin.query('create table control (text text)');
      await admin.query('insert into control values ($1)', [control]);
      const places = (await findEverywhere([control])).map(({ place }) => place);
      expect(places).toContain('/tapedeck public.control');
      expect(places.filter((place) => place.includes('/pg_wal/'))).not.toEqual([]);
      expect(places.filter((place) => place.includes('/base/'))).not.toEqual([]);
      expect(await findEverywhere(texts)).toEqual([]);

      expect(await send(browser, 'DELETE', identityRoutes.account, { confirmation: email })).toBe(204);
      await eventually(async () => expect(await rowsOf('accounts', id)).toBe(0));
      await eventually(async () => expect(await pendingEffects(id)).toEqual([]));
      expect(await findEverywhere(texts)).toEqual([]);
      const { rows } = await admin.query(
        `select wrapped from personal_data_keys where subject = $1 or subject like 'sql:%'`,
        [id],
      );
      expect(rows).toEqual(Array.from({ length: 3 }, () => ({ wrapped: null })));
    },
    timeoutMs,
  );
});
