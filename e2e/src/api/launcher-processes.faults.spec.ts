import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { processesWith, startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';

// The product starts, and each of its users looks at every file of the code.
jest.setTimeout(120_000);

type Owner = Readonly<{ uid: number; gid: number }>;

const programs = {
  api: 'dist/api.js',
  capture: 'dist/capture.js',
  projector: 'dist/projector.js',
  sandbox: 'dist/sandbox.js',
} as const;
type Name = keyof typeof programs;
const names = Object.keys(programs) as Name[];

const root = fileURLToPath(new URL('../../../', import.meta.url));
const asRoot = process.getuid?.() === 0;
const folder = temporaryFolder();
const inFolder = (...path: readonly string[]): string => join(folder.path, ...path);
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
let product: Product;

type Env = Readonly<Record<string, string>>;

const pidOf = (name: Name): number =>
  Number.parseInt(processesWith(folder.path).find((line) => line.includes(programs[name])) ?? 'none', 10);
const ownerOf = (name: Name): Owner => statSync(`/proc/${pidOf(name)}`);
const variablesOf = (name: Name): Env =>
  Object.fromEntries(
    readFileSync(`/proc/${pidOf(name)}/environ`, 'utf8')
      .split('\0')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
/** Whether somebody with the rights of a process can read the file. */
const canRead = ({ uid, gid }: Owner, file: string): boolean =>
  spawnSync('cat', [file], asRoot ? { uid, gid } : {}).status === 0;

/** The address of a proxy for requests to other servers; nothing is sent there. */
const outbound = 'http://127.0.0.1:9';

beforeAll(async () => {
  mkdirSync(inFolder('logs'), { mode: 0o777 });
  chmodSync(inFolder('logs'), 0o777);
  for (const name of ['api.log', 'api.log.1', 'projector.log']) {
    writeFileSync(inFolder('logs', name), 'earlier\n');
    chmodSync(inFolder('logs', name), 0o644);
  }
  writeFileSync(inFolder('instance.json'), '{}');
  product = await startProduct({
    dataFolder: folder.path,
    env: {
      DEMO_CATALOGUE: '50',
      CLOUD_TOKEN: 'of somebody else',
      HTTPS_PROXY: outbound,
      TZ: 'Europe/Paris',
    },
  });
});
afterAll(async () => {
  await product.stop();
  folder.remove();
});

describe('a process that npm start runs', () => {
  it('has a system user of its own when root starts it, otherwise that of the launcher', () => {
    const uids = names.map((name) => ownerOf(name).uid);
    expect(new Set(uids).size).toBe(asRoot ? names.length : 1);
    if (!asRoot) return expect(uids[0]).toBe(process.getuid?.());
    expect(uids).not.toContain(0);
    const users = execFileSync('ps', ['-o', 'user:40=', '-p', names.map(pidOf).join(',')], {
      encoding: 'utf8',
    });
    expect(users.trim().split(/\s+/).sort()).toEqual(names.map((name) => `tapedeck-${name}`));
  });

  it('can read no file of the instance, and no environment of another process', () => {
    const files = [
      ...['secrets.json', 'database-roles.json', 'instance.json', 'launcher.lock'].map((name) =>
        inFolder(name),
      ),
      inFolder('logs', 'api.log'),
      inFolder('postgres', 'password'),
      inFolder('postgres', 'data', 'PG_VERSION'),
    ];
    for (const name of names) {
      const others = names.filter((other) => other !== name).map((other) => `/proc/${pidOf(other)}/environ`);
      const read = [...files, ...others].filter((file) => canRead(ownerOf(name), file));
      expect(read).toEqual(asRoot ? [] : [...files, ...others]);
    }
  });

  it('can write neither code nor anything else that root uses, but for folders of the sandbox and of pictures', () => {
    const owned = [
      join(root, 'scripts'),
      join(root, 'tools'),
      join(root, 'apps'),
      join(root, 'libs'),
      folder.path,
    ];
    const ownFolders = [inFolder('sandbox'), inFolder('pictures')];
    for (const name of names) {
      const { uid, gid } = ownerOf(name);
      const { stdout } = spawnSync(
        'find',
        [...owned, '-name', 'src', '-prune', '-o', '-writable', '!', '-type', 'l', '-print'],
        {
          encoding: 'utf8',
          ...(asRoot ? { uid, gid } : {}),
        },
      );
      const writable = stdout
        .split('\n')
        .filter((path) => path !== '' && !ownFolders.some((own) => path.startsWith(own)));
      expect(asRoot ? writable : []).toEqual([]);
    }
    expect(readdirSync(inFolder('sandbox'))).toEqual(['sandbox-keys.json', 'stripe.journal']);
  });

  it('gets the variables of its own configuration and few of the system', () => {
    const [api, capture, projector, sandbox] = names.map(variablesOf) as [Env, Env, Env, Env];
    const secret = [
      'SESSION_SECRET',
      'OIDC_CLIENT_SECRET',
      'PERSONAL_DATA_KEY',
      'DATABASE_URL',
      'CATALOGUE_DATABASE_URL',
    ];
    const secretsOf = (env: Env): readonly string[] => secret.filter((name) => name in env);
    expect(secretsOf(api)).toEqual(secret);
    expect(secretsOf(projector)).toEqual(secret.slice(2));
    expect(secretsOf(sandbox)).toEqual(['OIDC_CLIENT_SECRET']);
    expect(secretsOf(capture)).toEqual([]);
    expect(capture['CAPTURE_SECRET']).toBe(api['CAPTURE_SECRET']);
    expect(api['DATABASE_URL']).not.toBe(projector['DATABASE_URL']);
    for (const env of [api, capture, projector, sandbox]) {
      expect(env).toMatchObject({ TZ: 'Europe/Paris', PATH: process.env['PATH'] });
      expect(env).not.toHaveProperty('CLOUD_TOKEN');
      expect(Object.keys(env).filter((name) => /PASSWORD|^MIGRATION_|^npm_/.test(name))).toEqual([]);
    }
    expect([api, projector, sandbox, capture].map((env) => env['HTTPS_PROXY'])).toEqual([
      outbound,
      outbound,
      undefined,
      undefined,
    ]);
  });
});

describe('the files of an instance', () => {
  it('are readable for their owner only, and so are the logs that were readable for everybody', () => {
    for (const name of readdirSync(inFolder('logs')))
      expect([name, modeOf(inFolder('logs', name))]).toEqual([name, '600']);
    expect(readFileSync(inFolder('logs', 'api.log'), 'utf8')).toMatch(/^earlier\n.*api listens/s);
    const folders = ['logs', 'sandbox', 'pictures', 'postgres'].map((name) => modeOf(inFolder(name)));
    expect(folders).toEqual(['700', '700', '700', '700']);
    // The database's user has to pass through it.
    expect(modeOf(folder.path)).toBe(asRoot ? '711' : '700');
    for (const name of ['secrets.json', 'database-roles.json', 'instance.json', 'launcher.lock', '.writable'])
      expect([name, modeOf(inFolder(name))]).toEqual([name, '600']);
  });
});
