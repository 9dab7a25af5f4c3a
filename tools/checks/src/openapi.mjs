// Writes openapi.json from the routes of the API; with --check, compares it with the committed file.
import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApi } from '@tapedeck/api/create-api';
import { openApiOf } from '@tapedeck/api/openapi';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { systemClock } from '@tapedeck/kernel';
import { apiConfig, placeholders } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { root } from '@tapedeck/prepare';

const file = join(root, 'openapi.json');
// Only routes are read: no connection is opened.
const config = apiConfig(placeholders);
const { default: pg } = await import('pg');
const pool = new pg.Pool({ connectionString: config.DATABASE_URL });
const app = await createApi({
  config,
  databases: { tapedeck: pool, catalogue: pool },
  store: createMemoryEventStore({ types: {} }),
  clock: systemClock,
  logger: createLogger('openapi', 'silent'),
});
const text = `${JSON.stringify(openApiOf(app), null, 2)}\n`;
if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    process.stderr.write('openapi.json is out of date: run npm run build:openapi and commit it.\n');
    process.exit(1);
  }
} else await writeFile(file, text);
process.exit(0);
