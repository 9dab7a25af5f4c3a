// Writes openapi.json from the routes of the API; with --check, compares it with the committed file.
import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApi } from '@tapedeck/api/create-api';
import { openApiOf } from '@tapedeck/api/openapi';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { systemClock } from '@tapedeck/kernel';
import { apiConfig } from '@tapedeck/platform/config';
import { createLogger } from '@tapedeck/platform/log';
import { root } from '@tapedeck/prepare';

const file = join(root, 'openapi.json');
// Only routes are read: no connection is opened.
const config = apiConfig({
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  CATALOGUE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  PERSONAL_DATA_KEY: Buffer.alloc(32).toString('base64'),
  SESSION_SECRET: 'only for reading the routes of the API',
  OIDC_ISSUER: 'http://127.0.0.1:1',
  OIDC_CLIENT_ID: 'none',
  OIDC_CLIENT_SECRET: 'none',
  STRIPE_API_URL: 'http://127.0.0.1:1',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'none',
  STRIPE_PRICE_PRO_MONTHLY: 'none',
  STRIPE_PRICE_PRO_ANNUAL: 'none',
  STRIPE_PRICE_ELITE_MONTHLY: 'none',
  STRIPE_PRICE_ELITE_ANNUAL: 'none',
  SMTP_URL: 'smtp://127.0.0.1:1',
});
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
