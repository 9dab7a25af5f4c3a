import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { assertPortIsAllowed, environmentOf, processUsers, type Users } from './programs.mjs';

const asRoot = process.getuid?.() === 0;
const code = [
  'package.json',
  'node_modules/x.js',
  'scripts/start.mjs',
  'apps/web/dist/site/index.html',
  'dist/api.js',
  'dist/projector.js',
  'dist/demo.js',
  'dist/role.js',
  'dist/migrate.js',
  'dist/sandbox.js',
  'dist/capture.js',
];

describe('the users of the processes', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let lines: string[] = [];
  beforeEach(() => {
    lines = [];
    folder = temporaryFolder();
    for (const name of code) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), '');
    }
  });
  afterEach(() => folder.remove());
  const usersIn = (path = folder.path): Promise<Users> => processUsers((line) => lines.push(line), path);
  /** Whether each process has a user other than that of the launcher. */
  const areDivided = (users: Users): boolean =>
    new Set(Object.values(users).map(({ uid }) => uid ?? 'that of the launcher')).size === 5;

  it('are divided where they can read the code', async () => {
    expect(areDivided(await usersIn())).toBe(asRoot);
    expect(lines).toEqual([]);
  });

  it('are that of the launcher where another could not read the code, and one line says so', async () => {
    for (const close of [folder.path, join(folder.path, 'dist', 'api.js')]) {
      chmodSync(close, 0o700);
      expect(await usersIn()).toEqual({ api: {}, projector: {}, sandbox: {}, migrate: {}, capture: {} });
      chmodSync(close, 0o755);
    }
    const line = expect.stringMatching(/^The processes run as root: .* cannot read the code in /);
    expect(lines).toEqual(asRoot ? [line, line] : []);
  });

  it('are divided where every user can change the code, and one line says what to do', async () => {
    chmodSync(join(folder.path, 'scripts', 'start.mjs'), 0o666);
    expect(areDivided(await usersIn())).toBe(asRoot);
    const line = expect.stringMatching(/^Every user can change the code .*: chmod -R o-w /);
    expect(lines).toEqual(asRoot ? [line] : []);
  });

  it('may not take a port of the system, unlike root', async () => {
    await expect(assertPortIsAllowed(80, { api: { uid: 1_000 } }, 1_024)).rejects.toThrow(
      'Port 80 may only be used by root, as which the API does not run',
    );
    await assertPortIsAllowed(80, { api: {} }, 1_024);
    await assertPortIsAllowed(4_000, { api: { uid: 1_000 } });
  });
});

describe('the environment of a process', () => {
  const given = {
    Path: '/bin',
    https_proxy: 'http://proxy:3128',
    LD_PRELOAD: '/tmp/x.so',
    AWS_SECRET_ACCESS_KEY: 'x',
    MIGRATION_DATABASE_URL: 'postgres://owner@x/y',
    API_DATABASE_PASSWORD: 'x',
    DATABASE_URL: 'postgres://x/y',
    PERSONAL_DATA_KEY: 'x',
    SESSION_SECRET: 'x',
    OIDC_CLIENT_SECRET: 'x',
    SANDBOX_PORT: '1',
    DEMO_CATALOGUE: '50',
    PORT: '4000',
  };
  const ofAll = ['Path'];
  const ofServers = [...ofAll, 'https_proxy'];
  const ofProduct = [...ofServers, 'DATABASE_URL', 'PERSONAL_DATA_KEY'];

  it.each([
    ['api', [...ofProduct, 'SESSION_SECRET', 'OIDC_CLIENT_SECRET', 'PORT']],
    ['projector', ofProduct],
    ['demo', [...ofProduct, 'DEMO_CATALOGUE']],
    ['migrate', [...ofServers, 'MIGRATION_DATABASE_URL', 'API_DATABASE_PASSWORD']],
    ['sandbox', [...ofAll, 'OIDC_CLIENT_SECRET', 'SANDBOX_PORT']],
  ] as const)('has of the %s only %j', async (name, expected) => {
    expect(Object.keys(await environmentOf(name, given)).sort()).toEqual([...expected].sort());
  });
});
