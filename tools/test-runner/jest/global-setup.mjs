import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@tapedeck/dev-postgres';
import { serveSharedProduct } from './shared-product.mjs';

/** Starts one PostgreSQL for the whole run; every test file creates its own databases in it. */
const startTestPostgres = async () => {
  if (process.env.TEST_POSTGRES_URL) return { stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-test-'));
  await chmod(folder, 0o755);
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  });
  process.env.TEST_POSTGRES_URL = server.url('postgres');
  return {
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** What all test files share. */
export default async function globalSetup() {
  process.env.TEST_SEED ??= '1';
  process.env.PROPERTY_RUNS ??= '0.04';
  const starting = [startTestPostgres(), serveSharedProduct()];
  const stop = () => Promise.all(starting.map(async (one) => (await one).stop()));
  // An interrupted run stops them too, also what is just being started.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  globalThis.stopWhatTestsShare = stop;
  const [, product] = await Promise.all(starting);
  process.env.TEST_PRODUCT_URL = product.url;
}
