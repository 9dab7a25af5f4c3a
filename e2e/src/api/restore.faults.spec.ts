import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { processesWith, startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { strategyRoutes } from '@tapedeck/strategies/contract';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importDemo, readContents, type Contents } from './contents.ts';
import { signIn, type Member } from './member.ts';
import { ownServerPrograms, startOwnServer, type OwnServer } from './own-server.ts';

const folders = new Set<ReturnType<typeof temporaryFolder>>();
const running = new Set<Product>();
const patienceMs = 30_000;
/** Each test starts the product up to four times. */
const timeoutMs = 180_000;

/** As docs/operations.md says. */
const asDocumented = ['--clean', '--if-exists', '--no-owner', '--no-privileges'];

const urlIds = [...demoRecords({ count: 60 })].map(({ url_id }) => url_id);
const [first = '', second = ''] = urlIds;
const lateAddition = urlIds.at(-1) ?? '';

const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.add(folder);
  return folder.path;
};
const start = async (dataFolder: string, env: Readonly<Record<string, string>> = {}): Promise<Product> => {
  const product = await startProduct({ dataFolder, env: { DEMO_CATALOGUE: '50', ...env } });
  running.add(product);
  return product;
};
const stop = async (product: Product): Promise<void> => {
  running.delete(product);
  expect(await product.stop()).toBe(0);
};
const expectRefused = async (starting: Promise<Product>, sentence: RegExp): Promise<void> => {
  await expect(starting).rejects.toThrow(sentence);
};
type Secrets = Readonly<Record<string, string>>;
const secretsFile = (folder: string): string => join(folder, 'secrets.json');
const secretsIn = (folder: string): Secrets =>
  JSON.parse(readFileSync(secretsFile(folder), 'utf8')) as Secrets;
const keyIn = (folder: string): string => secretsIn(folder)['PERSONAL_DATA_KEY'] ?? '';
const otherKey = (): string => randomBytes(32).toString('base64');

const totalFor = async (person: Member): Promise<unknown> =>
  ((await (await person.get(explorerRoutes.explore)).json()) as { total?: number }).total;

const addTo = async (person: Member, ...urlIds: readonly string[]): Promise<void> => {
  for (const urlId of urlIds) expect(await person.star(urlId)).toBe(201);
  await eventually(async () => expect(await person.starred()).toEqual(expect.arrayContaining([...urlIds])));
};

afterEach(async () => {
  await Promise.all([...running].map(stop));
});
afterAll(() => folders.forEach((folder) => folder.remove()));

describe('a data folder that was copied while the product was stopped', () => {
  let copy: string;
  let before: Contents;

  beforeAll(async () => {
    const original = newFolder();
    const product = await start(original);
    const pro = await signIn(product.url, 'pro@tapedeck.example');
    await addTo(pro, first, second);
    before = await readContents({ url: product.databaseUrl, personalDataKey: keyIn(original) });
    await stop(product);
    copy = join(newFolder(), 'copied');
    execFileSync('cp', ['-a', original, copy]);
    renameSync(original, `${original}.lost`);
    rmSync(`${original}.lost`, { recursive: true });
  }, timeoutMs);

  it(
    'has every read model as it was, equal to a rebuild, and lets its members sign in',
    async () => {
      const product = await start(copy);
      const after = await readContents({ url: product.databaseUrl, personalDataKey: keyIn(copy) });
      expect(after.readModels).toEqual(before.readModels);
      expect(after.rebuilt).toEqual(before.readModels);
      const pro = await signIn(product.url, 'pro@tapedeck.example');
      expect(await pro.email()).toBe('pro@tapedeck.example');
      expect(await pro.starred()).toEqual([first, second].sort());
    },
    timeoutMs,
  );
});

// A machine without the programs of PostgreSQL has no pg_dump.
(ownServerPrograms ? describe : describe.skip)('a dump of a server of one’s own', () => {
  let server: OwnServer;
  let folder: string;
  let dump: string;
  let before: Contents;

  const urlsOf =
    (tape: string, catalogue: string) =>
    (name: 'tapedeck' | 'catalogue'): string =>
      server.url(name === 'tapedeck' ? tape : catalogue);
  const envOf = (tape: string, catalogue: string): Readonly<Record<string, string>> => ({
    DATABASE_URL: server.url(tape),
    CATALOGUE_DATABASE_URL: server.url(catalogue),
  });

  beforeAll(async () => {
    server = await startOwnServer(ownServerPrograms ?? '');
    server.createDatabase('tapedeck');
    server.createDatabase('catalogue');
    folder = newFolder();
    dump = join(folder, 'tapedeck.dump');
    const product = await start(folder, envOf('tapedeck', 'catalogue'));
    const pro = await signIn(product.url, 'pro@tapedeck.example');
    await addTo(pro, first);
    const where = { url: urlsOf('tapedeck', 'catalogue'), personalDataKey: keyIn(folder) };
    before = await readContents(where);
    server.dump('tapedeck', dump);
    await addTo(pro, second);
    await importDemo(where, 60);
    await eventually(async () =>
      expect((await pro.get(strategyRoutes.details(lateAddition))).status).toBe(200),
    );
    await stop(product);
  }, timeoutMs);
  afterAll(() => server.stop());

  it(
    'is restored into an empty database, with all read models as they were and every member',
    async () => {
      server.createDatabase('restored');
      server.createDatabase('restored_catalogue');
      server.restore('restored', dump, ...asDocumented);
      const elsewhere = newFolder();
      const env = envOf('restored', 'restored_catalogue');
      await expectRefused(start(elsewhere, env), /secrets of this instance are missing .* put the file back/);
      await expectRefused(
        start(elsewhere, { ...env, PERSONAL_DATA_KEY: otherKey() }),
        /PERSONAL_DATA_KEY is not the key that encrypted/,
      );
      const PERSONAL_DATA_KEY = keyIn(folder);
      const product = await start(elsewhere, { ...env, PERSONAL_DATA_KEY });
      // It would be another key than that of the database.
      expect(secretsIn(elsewhere)).not.toHaveProperty('PERSONAL_DATA_KEY');
      const after = await readContents({
        url: urlsOf('restored', 'restored_catalogue'),
        personalDataKey: PERSONAL_DATA_KEY,
      });
      expect(after.readModels).toEqual(before.readModels);
      expect(after.rebuilt).toEqual(before.readModels);
      const pro = await signIn(product.url, 'pro@tapedeck.example');
      expect(await pro.email()).toBe('pro@tapedeck.example');
      expect(await pro.starred()).toEqual([first]);
      expect((await pro.get(strategyRoutes.details(lateAddition))).status).toBe(404);
      // A browser that has seen the lost part of the tape.
      const response = await pro.get(explorerRoutes.explore, { 'tape-position': '100000' });
      expect([response.status, response.headers.get('tape-stale')]).toEqual([200, 'true']);
    },
    timeoutMs,
  );

  it(
    'serves nothing that is no longer there beside newer read models, which are refused and then rebuilt',
    async () => {
      server.restore('tapedeck', dump, ...asDocumented);
      await expectRefused(
        start(folder, envOf('tapedeck', 'catalogue')),
        /The read model \S+ cannot be served\. .* the tape has none there.* delete from projection_checkpoints/,
      );
      expect(processesWith(folder)).toEqual([]);
      server.createDatabase('empty_catalogue');
      const product = await start(folder, envOf('tapedeck', 'empty_catalogue'));
      const pro = await signIn(product.url, 'pro@tapedeck.example');
      expect(await pro.starred()).toEqual([first]);
      expect((await pro.get(strategyRoutes.details(lateAddition))).status).toBe(404);
      await eventually(async () => expect(await totalFor(pro)).toBe(50), patienceMs);
    },
    timeoutMs,
  );
});
