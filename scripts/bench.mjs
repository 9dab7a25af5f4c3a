// `npm run bench`: Tapedeck beside others, on servers of its own that are gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, say, step } from './console.mjs';
import { missingPrograms, startElasticsearch, stopElasticsearch } from './elasticsearch.mjs';
import { startPostgres } from './postgres.mjs';
import { build, installDependencies, root } from './prepare.mjs';
import { runToEnd } from './run-to-end.mjs';

/** A million small documents, and what nine searches at once need. */
const elasticsearchHeap = '-Xms1g -Xmx1g';

/** @type {(() => Promise<unknown>)[]} */
const endings = [];

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-bench-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const postgresUrl = async () => {
  const settings = { fsync: 'on', synchronous_commit: 'on' };
  const folder = join(tmpdir(), `tapedeck-bench-${process.pid}`);
  const server = await startPostgres({ folder, settings });
  endings.push(() => rm(server.folder, { recursive: true, force: true }), server.stop);
  return server.url('postgres');
};

/** A given server, or one of our own where Java and Maven are; undefined: it takes no part. */
const elasticsearchUrl = async () => {
  const given = process.env.ELASTICSEARCH_URL;
  if (given) return given;
  if (await missingPrograms()) return undefined;
  process.env.DATA_DIR = await temporaryFolder();
  process.env.ES_JAVA_OPTS ||= elasticsearchHeap;
  endings.push(stopElasticsearch);
  return startElasticsearch();
};

const main = async () => {
  await step('dependencies', installDependencies);
  await step('build', build);
  const parts = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const needsElasticsearch = parts.length === 0 || parts.includes('explorer');
  try {
    const database = await step('database', postgresUrl);
    const url = needsElasticsearch
      ? await step('elasticsearch', elasticsearchUrl).catch((error) => {
          say(`  · no Elasticsearch: ${error.message}`);
          return undefined;
        })
      : undefined;
    return await runToEnd(join(root, 'bench/dist/main.js'), {
      BENCH_POSTGRES_URL: database,
      ...(url ? { ELASTICSEARCH_URL: url } : {}),
    });
  } finally {
    for (const end of endings.reverse()) await end();
  }
};

process.exit(await main().catch(fail));
