import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { projections } from '@tapedeck/composition/modules';
import { dumpReadModel, projectToEnd, poolOf } from '@tapedeck/eventing/projections';
import { startReactions } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { sqlConsoleStream } from '@tapedeck/sql-console/events';
import { SqlSchema, type SqlAnswer, type SqlHistory } from '@tapedeck/sql-console/contract';
import { strategyStream } from '@tapedeck/strategies/events';
import { strategyReactions } from '@tapedeck/strategies/reactions';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { asRoles, asSignedInAt, testClient, type TestCall } from '@tapedeck/platform/testing';
import { admin, createConsoleApp, startConsoleServer, type ConsoleServer } from './console-server.ts';

let parts: ConsoleServer;
let app: NestFastifyApplication;
let call: ReturnType<typeof testClient>;

beforeAll(async () => {
  parts = await startConsoleServer(10_000);
  app = await createConsoleApp(parts);
  await app.listen(0, '127.0.0.1');
  call = testClient(await app.getUrl(), admin);
}, 60_000);
afterAll(async () => {
  await app.close();
  await parts.dispose();
});

type Answer = Readonly<{ status: number; body: SqlAnswer & Readonly<{ code?: string; detail?: string }> }>;

const post = async (path: string, body: unknown, more: TestCall = {}): Promise<Answer> => {
  const headers = { [asRoles]: 'admin', ...more.headers };
  const answer = await call('POST', `/api/admin/${path}`, { ...more, body, headers });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text === '' ? '{}' : text) };
};
const get = async <T>(path: string): Promise<T> =>
  (await call('GET', `/api/admin/sql/${path}`, { headers: { [asRoles]: 'admin' } })).json() as Promise<T>;

const react = async (): Promise<void> => {
  const stopped = new AbortController();
  const { store, databases } = parts.projector;
  const running = startReactions({
    store,
    pool: databases.tapedeck,
    reactions: strategyReactions,
    effects: [],
    signal: stopped.signal,
    leaseMs: 1_000,
  });
  const head = await store.head();
  await eventually(async () => {
    const { rows } = await databases.tapedeck.query<{ done: boolean }>(
      `select position >= $1 and not exists (select from reaction_pending_events) as done
       from projection_checkpoints where projection = 'strategies-follow-console'`,
      [String(head)],
    );
    expect(rows[0]?.done).toBe(true);
  }, 10_000);
  stopped.abort();
  await running.stopped;
};

const dumps = (): Promise<readonly string[]> =>
  Promise.all(
    projections.map((projection) => dumpReadModel(poolOf(parts.projector.databases, projection), projection)),
  );

const anId = async (nth: number): Promise<string> => {
  const { rows } = await parts.run('read', `select url_id from strategies order by 1 offset ${nth} limit 1`);
  return rows[0]?.[0] ?? '';
};

const eventsOf = async (urlId: string): Promise<readonly string[]> =>
  (await parts.api.store.readStream(strategyStream(urlId))).map(({ type }) => type);

it('a change is shown, committed after a confirmation, becomes one event a row, and is there after a rebuild', async () => {
  const [changed, deleted] = [await anId(0), await anId(1)];
  const sqlQuery = `with d as (delete from strategies where url_id = '${deleted}')
    , i as (insert into strategies (url_id, title, likes, publication_date) values ('AdminSql', 'Ours', 3, '2025-02-01'))
    update strategies set title = 'Corrected', categories = '{SMA}' where url_id = '${changed}' returning title`;
  const shown = await post('execute-sql', { sqlQuery });
  expect(shown.body).toMatchObject({ success: true, kind: 'changes', rowCount: 3, rows: [['Corrected']] });
  expect(await eventsOf(changed)).toEqual(['StrategyImported']);

  const confirmation = { sqlQuery, sha256: shown.body.sha256, rowCount: 3, reason: 'ticket 4711' };
  const committed = await post('sql/commit', confirmation);
  expect(committed.body).toMatchObject({ success: true, kind: 'committed', rowCount: 3 });
  const { entries } = await get<SqlHistory>('history');
  expect(entries[0]).toMatchObject({ kind: 'committed', reason: 'ticket 4711', outcome: 'completed' });
  // As if the process had died right after the commit: what does the rest is another one, twice.
  await Promise.all([react(), react()]);
  expect(await eventsOf(changed)).toEqual(['StrategyImported', 'StrategyAmended']);
  expect(await eventsOf(deleted)).toEqual(['StrategyImported', 'StrategyWithdrawn']);
  expect(await eventsOf('AdminSql')).toEqual(['StrategyImported']);

  await parts.project();
  const seen = await parts.run(
    'read',
    `select url_id, title, likes, categories from strategies where title in ('Corrected', 'Ours') order by title`,
  );
  expect(seen.rows).toEqual([
    [changed, 'Corrected', expect.any(String), '{SMA}'],
    ['AdminSql', 'Ours', '3', '{}'],
  ]);
  const before = await dumps();
  const { store, databases } = parts.projector;
  const again = projections.map((projection) => ({ ...projection, version: projection.version + 100 }));
  await projectToEnd({ store, projections: again, databases });
  const after = await Promise.all(
    again.map((projection) => dumpReadModel(poolOf(databases, projection), projection)),
  );
  expect(after).toEqual(before);
}, 60_000);

it('what is not committed as it was confirmed changes nothing', async () => {
  const urlId = await anId(2);
  const sqlQuery = `update strategies set title = 'x' where url_id = '${urlId}'`;
  const { body } = await post('execute-sql', { sqlQuery });
  const confirmation = { sqlQuery, sha256: body.sha256, rowCount: 1, reason: 'ticket 4711' };
  const longAgo = { headers: { [asSignedInAt]: String(Date.now() - 11 * 60_000) } };
  expect(await post('sql/commit', confirmation, longAgo)).toMatchObject({
    status: 403,
    body: { code: 'SIGN_IN_AGAIN' },
  });
  expect(await post('sql/commit', { ...confirmation, sqlQuery: `${sqlQuery} or true` })).toMatchObject({
    status: 409,
    body: { code: 'STATEMENT_CHANGED' },
  });
  expect((await post('sql/commit', { ...confirmation, rowCount: 2 })).body).toMatchObject({
    success: false,
    error: { sqlState: '40001' },
  });
  expect(await post('sql/commit', { ...confirmation, reason: ' ' })).toMatchObject({ status: 400 });
  await react();
  expect(await eventsOf(urlId)).toEqual(['StrategyImported']);
}, 30_000);

it.each([
  [`update strategies set profit_factor_numeric = 1`, '22023', /computed from other columns/],
  [`update strategies set url_id = 'AAAAAAAA'`, '22023', /keeps its url_id/],
  [`update strategies set title = ' '`, '22023', /must have a title/],
  [`update strategies set title = null`, '23502', /must have a value/],
  [`update strategies set publication_date = 'infinity'`, '22008', /between the years/],
  [`update strategies set likes = 9007199254740993`, '22003', /too large/],
  [`update strategies set categories = array[null]`, '22023', /texts only/],
  [`insert into strategies (url_id, title) select url_id, 'x' from strategies`, '22023', /already/],
  [`insert into strategies (title) values ('x')`, '23502', /needs a url_id/],
])('refuses %s', async (sqlQuery, sqlState, message) => {
  const { body } = await post('execute-sql', { sqlQuery });
  expect(body).toMatchObject({
    success: false,
    error: { sqlState, message: expect.stringMatching(message) },
  });
});

it.each([
  ['   ', /No SQL Query: Please enter a SQL query to execute/],
  [`select '\0'`, /U\+0000/],
  [`select '\uD800'`, /surrogate/],
  [`select '${'é'.repeat(33_000)}'`, /64 KB/],
])('answers 400 to a text that is no statement (%#)', async (sqlQuery, message) => {
  const { status, body } = await post('execute-sql', { sqlQuery });
  expect([status, body.detail]).toEqual([400, expect.stringMatching(message)]);
});

it.each([999, 1_000, 1_001])('shows at most 1,000 of %i rows', async (count) => {
  const { body } = await post('execute-sql', { sqlQuery: `select * from generate_series(1, ${count})` });
  expect([body.rows.length, body.truncated]).toEqual([Math.min(count, 1_000), count > 1_000]);
});

const activeSessions = async (queryId: string): Promise<number> => {
  const { rowCount } = await parts.administrator.query(
    `select from pg_stat_activity where application_name = $1 and state = 'active'`,
    [`console:${queryId}`],
  );
  return rowCount ?? 0;
};

it('an admin runs one query at a time and cancels only own ones', async () => {
  const queryId = newId();
  const slow = 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b';
  const running = post('execute-sql', { sqlQuery: slow, queryId });
  await eventually(async () => expect(await activeSessions(queryId)).toBe(1));
  expect(await post('execute-sql', { sqlQuery: 'select 1' })).toMatchObject({ status: 429 });
  const other = { account: newId() };
  expect((await post(`sql/${queryId}/cancel`, {}, other)).status).toBe(404);
  expect(await activeSessions(queryId)).toBe(1);
  expect((await post(`sql/${queryId}/cancel`, {})).status).toBe(204);
  const cancelled = { sqlState: '57014', message: expect.stringContaining('user request') };
  expect((await running).body).toMatchObject({ success: false, error: cancelled });
  // The statement has ended, so no other one is cancelled.
  expect((await post(`sql/${queryId}/cancel`, {})).status).toBe(404);
}, 20_000);

it('a query ends when its client has left', async () => {
  const left = new AbortController();
  const queryId = newId();
  const slow = 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b';
  const asked = parts.run('read', slow, { queryId, signal: left.signal });
  await eventually(async () => expect(await activeSessions(queryId)).toBe(1));
  left.abort();
  const cancelled = { sqlState: '57014', message: expect.stringContaining('user request') };
  expect(await asked).toMatchObject({ success: false, error: cancelled });
}, 20_000);

it('shows plans, columns and what was run before, whose text is unreadable once it is forgotten', async () => {
  const plan = await post('sql/plan', { sqlQuery: 'select * from strategies' });
  expect(JSON.parse(plan.body.rows[0]?.[0] ?? '')).toMatchObject([{ Plan: { 'Node Type': 'Seq Scan' } }]);
  const { entries } = await get<{ entries: { sqlQuery: string; queryId: string }[] }>('history');
  expect(entries[0]).toMatchObject({
    sqlQuery: 'select * from strategies',
    kind: 'plan',
    outcome: 'completed',
  });
  const { tables } = SqlSchema.parse(await get<unknown>('schema'));
  expect(tables.map(({ name }) => name)).toEqual([
    'strategies',
    'strategies_parsed_simple',
    'strategy_indicators',
  ]);
  for (const { name } of tables)
    expect(await parts.run('read', `select * from ${name} limit 1`)).toMatchObject({ success: true });
  expect(tables[0]?.columns).toEqual(
    expect.arrayContaining([
      { name: 'pine_script', type: 'text' },
      { name: 'likes', type: 'bigint' },
    ]),
  );
  const events = await parts.api.store.readStream(sqlConsoleStream(admin), { form: 'stored' });
  const stored = JSON.stringify(events.map(({ data }) => data));
  expect(stored).toContain('SMA');
  expect(stored).not.toContain('generate_series');
});

it('is refused to members and support', async () => {
  for (const roles of ['', 'support']) {
    const headers = { [asRoles]: roles };
    expect((await post('execute-sql', { sqlQuery: 'select 1' }, { headers })).status).toBe(403);
  }
});
