import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { processesWith, startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { demoRecords } from '@tapedeck/strategies/demo';
import { Client } from 'pg';
import { signIn } from '../member.ts';

// Each test starts the product.
jest.setTimeout(120_000);

const folder = temporaryFolder();
const passwordsFile = join(folder.path, 'database-roles.json');
let product: Product | undefined;

const start = async (): Promise<Product> => {
  product = await startProduct({ dataFolder: folder.path, env: { DEMO_CATALOGUE: '50' } });
  return product;
};
const stop = async (): Promise<void> => {
  await product?.stop();
  product = undefined;
};
afterEach(stop);
afterAll(() => folder.remove());

type Connection = Readonly<{ user: string; application: string }>;
const connectionsTo = async ({ databaseUrl }: Product): Promise<readonly Connection[]> => {
  const client = new Client({ connectionString: databaseUrl('tapedeck') });
  await client.connect();
  try {
    const { rows } = await client.query<Connection>(
      `select distinct usename as user, application_name as application from pg_stat_activity
       where datname in ('tapedeck', 'catalogue') and application_name like 'tapedeck %' order by 2, 1`,
    );
    return rows;
  } finally {
    await client.end();
  }
};

it('every process connects as its own role, and knows no password of the administrator', async () => {
  const running = await start();
  const pro = await signIn(running.url, 'pro@tapedeck.example');
  const [first] = [...demoRecords({ count: 1 })];
  expect(await pro.star(first?.url_id ?? '')).toBe(201);
  expect((await connectionsTo(running)).map(({ user }) => user)).not.toContain('tapedeck');
  expect(await connectionsTo(running)).toEqual(
    expect.arrayContaining([
      { user: 'tapedeck_api', application: 'tapedeck api' },
      { user: 'tapedeck_projector', application: 'tapedeck projector' },
    ]),
  );
  const administrator = readFileSync(join(folder.path, 'postgres', 'password'), 'utf8').trim();
  expect(processesWith(administrator)).toEqual([]);
  const passwords = JSON.parse(readFileSync(passwordsFile, 'utf8')) as Readonly<Record<string, string>>;
  expect(processesWith(passwords['API_DATABASE_PASSWORD'] ?? '').map(programOf)).toEqual(['api']);
  expect(processesWith(passwords['PROJECTOR_DATABASE_PASSWORD'] ?? '').map(programOf)).toEqual(['projector']);
  expect(statSync(passwordsFile).mode & 0o777).toBe(0o600);
});

const programOf = (line: string): string | undefined => /\/dist\/(\w+)\.js/.exec(line)?.[1];

it('new passwords are made when their file was lost or cut off', async () => {
  writeFileSync(passwordsFile, '{"API_DATABASE_PASSWORD":');
  const running = await start();
  const pro = await signIn(running.url, 'pro@tapedeck.example');
  // The test before may have stopped the product before its read model knew the star.
  await eventually(async () => expect(await pro.starred()).toHaveLength(1));
  expect(Object.keys(JSON.parse(readFileSync(passwordsFile, 'utf8')) as object)).toHaveLength(3);
});

it('a command-line program works beside the product and alone', async () => {
  const rebuild = (): string =>
    execFileSync(process.execPath, ['scripts/program.mjs', 'import', join(folder.path, 'no-such.zip')], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, DATA_DIR: folder.path },
    });
  expect(rebuild).toThrow(/no-such\.zip/);
  await start();
  expect(rebuild).toThrow(/no-such\.zip/);
});
