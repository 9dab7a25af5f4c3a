// `npm run bench`: Tapedeck beside others, on a PostgreSQL of its own that is gone afterwards.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, step } from './console.mjs';
import { startPostgres } from './postgres.mjs';
import { build, installDependencies, root } from './prepare.mjs';
import { runToEnd } from './run-to-end.mjs';

const main = async () => {
  await step('dependencies', installDependencies);
  await step('build', build);
  const folder = join(tmpdir(), `tapedeck-bench-${process.pid}`);
  const settings = { fsync: 'on', synchronous_commit: 'on' };
  const server = await step('database', () => startPostgres({ folder, settings }));
  try {
    return await runToEnd(join(root, 'bench/dist/main.js'), { BENCH_POSTGRES_URL: server.url('postgres') });
  } finally {
    await server.stop();
    await rm(server.folder, { recursive: true, force: true });
  }
};

process.exit(await main().catch(fail));
