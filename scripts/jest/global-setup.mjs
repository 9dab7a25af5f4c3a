import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../postgres.mjs';

/** Starts one PostgreSQL for the whole run; every test file creates its own databases in it. */
export default async function globalSetup() {
  if (process.env.TEST_POSTGRES_URL) return;
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-test-'));
  await chmod(folder, 0o755);
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  });
  process.env.TEST_POSTGRES_URL = server.url('postgres');
  // An interrupted run stops its server too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void server.stop().finally(() => process.exit(1)));
  }
  globalThis.tapedeckTestServer = { server, folder };
}
