import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type Server } from '@tapedeck/dev-postgres';

let parent: string;
let home: string;
let server: Server | undefined;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tapedeck-password-'));
  chmodSync(parent, 0o755);
  home = join(parent, 'postgres');
  mkdirSync(home);
});
afterEach(async () => {
  await server?.stop('immediate');
  server = undefined;
  rmSync(parent, { recursive: true, force: true });
});

const start = async (): Promise<Server> => {
  server = await startPostgres({ folder: home, settings: { fsync: 'off', shared_buffers: '16MB' } });
  return server;
};
const passwordFile = (): string => join(home, 'password');

it('the password is written to a file of its own, whatever stands in its place', async () => {
  const victim = join(parent, 'victim');
  writeFileSync(victim, 'untouched', { mode: 0o644 });
  const { uid } = statSync(victim);
  symlinkSync(victim, passwordFile());
  await start();
  expect([readFileSync(victim, 'utf8'), statSync(victim).uid]).toEqual(['untouched', uid]);
  const written = lstatSync(passwordFile());
  expect([written.isFile(), written.mode & 0o777]).toEqual([true, 0o600]);
});

it('the password is not read through a link, and only its owner can read it after a restore', async () => {
  const { stop } = await start();
  await stop('fast');
  server = undefined;
  chmodSync(passwordFile(), 0o644);
  await (await start()).stop('fast');
  server = undefined;
  expect(statSync(passwordFile()).mode & 0o777).toBe(0o600);
  const elsewhere = join(parent, 'elsewhere');
  writeFileSync(elsewhere, readFileSync(passwordFile()));
  rmSync(passwordFile());
  symlinkSync(elsewhere, passwordFile());
  await expect(start()).rejects.toThrow(/password .* cannot be read/);
});
