import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startTestServer, type TestServer } from '@tapedeck/eventing/servers';
import { systemClock } from '@tapedeck/kernel';
import { Client } from 'pg';
import { strategyEvents } from '../events.ts';
import { withFile } from '../testing/zip-outcomes.ts';
import { writeZip } from '../testing/zip-writer.ts';
import { runImport } from './run-import.ts';

const strategies = 3_000;
const zip = writeZip(
  Array.from({ length: strategies }, (_, n) => {
    const urlId = `S${String(n).padStart(7, '0')}`;
    return { name: `${urlId}.json`, data: JSON.stringify({ url_id: urlId, title: `Title ${n}` }) };
  }),
);

describe('npm run import, whose database becomes unavailable', () => {
  let server: TestServer;
  let store: EventStore;
  beforeAll(async () => {
    server = await startTestServer();
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    for (const { sql } of eventingMigrations) await client.query(sql);
    await client.end();
    store = createPostgresEventStore({
      url: server.url('postgres'),
      types: strategyEvents,
      timeLimits: { appendMs: 500 },
    });
  });
  afterAll(async () => {
    await store.close();
    await server.dispose();
  });

  type Run = Readonly<{
    onOutput?: (text: string) => void;
    onError?: (text: string) => void;
    patienceMs: number;
  }>;
  const run = ({ onOutput = () => {}, onError = () => {}, patienceMs }: Run): Promise<number> =>
    withFile('all.zip', zip, (path) =>
      runImport({
        path,
        store,
        clock: systemClock,
        output: { write: onOutput },
        errors: { write: onError },
        waiting: { retryMs: 100, patienceMs },
      }),
    );

  it('says so once, goes on when it is back, and imports every strategy once', async () => {
    let [output, errors] = ['', ''];
    let crash: Promise<void> | undefined;
    let restart: Promise<void> | undefined;
    const status = await run({
      onOutput: (text) => {
        output += text;
        // After the first tenth of the file.
        crash ??= server.stop('immediate');
      },
      onError: (text) => {
        errors += text;
        restart ??= crash?.then(() => server.start());
      },
      patienceMs: 60_000,
    });
    expect({ status, errors }).toEqual({
      status: 0,
      errors: 'The database cannot be reached: the import goes on as soon as it is back.\n',
    });
    expect(output).toContain(`all.zip: ${strategies.toLocaleString('en')} added, 0 revised, 0 unchanged`);
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    const { rows } = await client.query(
      `select count(*)::int as events, count(distinct stream)::int as streams from tape_events where type = 'StrategyImported'`,
    );
    await client.end();
    expect(rows).toEqual([{ events: strategies, streams: strategies }]);
  });

  it('ends after a while with a sentence that says what to do', async () => {
    let errors = '';
    await server.stop('immediate');
    const status = await run({ onError: (text) => (errors += text), patienceMs: 300 });
    await server.start();
    expect(status).toBe(1);
    expect(errors).toMatch(
      /^The database cannot be reached.*\n✗ The database was unavailable for .* import the file again\. \[IMPORT_INTERRUPTED\]\n$/,
    );
  });
});
