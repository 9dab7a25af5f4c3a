import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, type DeathPoint } from '@tapedeck/eventing/testing';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { newId, systemClock } from '@tapedeck/kernel';
import { demoRecords } from '@tapedeck/strategies/demo';
import { SqlHistory } from '@tapedeck/sql-console/contract';
import { strategyStream } from '@tapedeck/strategies/events';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { memberAt, type Answer, type Person } from '../payments/buyers.ts';
import { startRealProcesses, type ProcessName, type RealProcesses } from '../payments/real-processes.ts';
import { startRoleServer, type RoleServer } from '../roles/role-server.ts';

const staff = 'admin@example.com';
let server: RoleServer;
let product: RealProcesses;
let admin: Person;

const envOf = (name: ProcessName): Readonly<Record<string, string>> => ({
  DATABASE_URL: server.urlAs(name, 'tapedeck'),
  CATALOGUE_DATABASE_URL: server.urlAs(name, 'catalogue'),
  CONSOLE_READ_DATABASE_URL: server.urlAs('console_ro', 'catalogue'),
  CONSOLE_WRITE_DATABASE_URL: server.urlAs('console_rw', 'catalogue'),
});

const changeRole = async (verb: 'grant' | 'revoke'): Promise<void> => {
  const { store, databases } = product.product;
  const output = { write: () => undefined };
  const options = { store, pool: databases.tapedeck, clock: systemClock, output, errors: output };
  await runRoleCommand({ ...options, args: [verb, 'admin', staff] });
};

beforeAll(async () => {
  server = await startRoleServer();
  await server.create('tapedeck', 'catalogue');
  await server.migrate();
  product = await startRealProcesses({ envOf });
  const { store } = product.product;
  await importRecords({
    name: 'demo',
    records: [...demoRecords({ count: 10 })],
    total: 10,
    importId: importId(newId()),
    store,
    clock: systemClock,
    actor: { id: 'test', kind: 'system' },
  });
  await product.settled();
  await memberAt(product, staff);
  await changeRole('grant');
  admin = await memberAt(product, staff);
}, 120_000);
afterAll(async () => {
  await product.close();
  await server.dispose();
});

const append = (when: 'before' | 'after', type: string): DeathPoint => ({
  when,
  contains: ['tape_append', type],
});

const commitWithKey = async (key: string, body: object): Promise<Answer> => {
  const headers = { origin: product.url, 'content-type': 'application/json', 'idempotency-key': key };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await admin.browser.request(`${product.url}/api/admin/sql/commit`, init);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
};

const countEvents = async (type: string): Promise<number> => {
  const { rows } = await product.product.databases.tapedeck.query<{ count: number }>(
    'select count(*)::int as count from tape_events where type = $1',
    [type],
  );
  return rows[0]?.count ?? 0;
};
const countCommits = (): Promise<number> => countEvents('SqlChangesCommitted');

it.each([
  { name: 'before it runs', at: append('after', 'SqlRequested'), commits: 0 },
  {
    name: 'after the roll-back and before the append',
    at: append('before', 'SqlChangesCommitted'),
    commits: 0,
  },
  { name: 'after the append', at: append('after', 'SqlChangesCommitted'), commits: 1 },
  { name: 'before the answer', at: append('after', 'SqlCompleted'), commits: 1 },
])(
  'a change whose process dies $name is made once when it is sent again',
  async ({ name, at, commits }) => {
    const title = `Changed by the one that died ${name}`;
    const urlId = [...demoRecords({ count: 1 })][0]?.url_id ?? '';
    const sqlQuery = `update strategies set title = '${title}' where url_id = '${urlId}'`;
    const dryRun = await admin.send('POST', '/api/admin/execute-sql', { sqlQuery });
    expect(dryRun).toMatchObject({ status: 200, body: { kind: 'changes', rowCount: 1 } });
    const before = await countCommits();
    const body = { sqlQuery, sha256: dryRun.body['sha256'], rowCount: 1, reason: 'ticket 4711' };
    const { died } = await product.dieAt('api', at);
    const key = newId();
    const [, interrupted] = await Promise.all([died, commitWithKey(key, body).catch(() => 'no answer')]);
    expect(interrupted).toBe('no answer');
    await product.start('api');
    expect((await countCommits()) - before).toBe(commits);
    const history = SqlHistory.parse((await admin.get('/api/admin/sql/history')).body);
    expect(history.entries[0]).toMatchObject(
      commits === 1 ? { outcome: 'completed', rowCount: 1 } : { outcome: 'running' },
    );
    for (let sent = 0; sent < 2; sent++)
      expect(await commitWithKey(key, body)).toMatchObject({
        status: 200,
        body: { success: true, kind: 'committed', rowCount: 1 },
      });
    expect((await countCommits()) - before).toBe(1);
    await eventually(async () => {
      const events = await product.product.store.readStream(strategyStream(urlId));
      const amended = events.filter(
        ({ type, data }) => type === 'StrategyAmended' && JSON.stringify(data).includes(title),
      );
      expect(amended).toHaveLength(1);
    });
  },
  60_000,
);

it('a role that is taken away ends an open console with its next request', async () => {
  const sqlQuery = `update strategies set title = 'After the role'`;
  const dryRun = await admin.send('POST', '/api/admin/execute-sql', { sqlQuery });
  expect(dryRun).toMatchObject({ status: 200, body: { kind: 'changes' } });
  const { sha256, rowCount } = dryRun.body;
  const [events, commits] = [await countEvents('SqlRequested'), await countEvents('SqlChangesCommitted')];
  await changeRole('revoke');
  const confirmed = { sqlQuery, sha256, rowCount, reason: 'ticket 4711' };
  // Its sessions end with it.
  expect(await admin.send('POST', '/api/admin/sql/commit', confirmed)).toMatchObject({ status: 401 });
  const member = await memberAt(product, staff);
  expect(await member.send('POST', '/api/admin/sql/commit', confirmed)).toMatchObject({ status: 403 });
  expect(await member.send('POST', '/api/admin/execute-sql', { sqlQuery })).toMatchObject({ status: 403 });
  expect(await member.get('/api/admin/sql/history')).toMatchObject({ status: 403 });
  expect(await countEvents('SqlRequested')).toBe(events);
  expect(await countEvents('SqlChangesCommitted')).toBe(commits);
});
