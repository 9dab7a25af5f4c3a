import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/composition/config';
import { asAccount, asRoles, testClient, type TestClient } from '@tapedeck/platform/testing';
import type { SqlHistory } from '@tapedeck/sql-console/contract';
import { admin, createConsoleApp, startConsoleServer, type ConsoleServer } from './console-server.ts';

const headers = { [asRoles]: 'admin' };
let parts: ConsoleServer;
let app: NestFastifyApplication;
let call: TestClient;

beforeAll(async () => {
  parts = await startConsoleServer(10_000);
  [app, call] = await listen();
}, 60_000);
afterAll(async () => {
  await app.close();
  await parts.dispose();
});

const listen = async (
  config?: Partial<ApiConfig>,
): Promise<readonly [NestFastifyApplication, TestClient]> => {
  const created = await createConsoleApp(parts, config);
  await created.listen(0, '127.0.0.1');
  return [created, testClient(await created.getUrl(), admin)];
};

type Answer = Readonly<{ status: number; body: Readonly<Record<string, unknown>> }>;

const execute = async (client: TestClient, sqlQuery: string, account: string = admin): Promise<Answer> => {
  const answer = await client('POST', '/api/admin/execute-sql', { body: { sqlQuery }, account, headers });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
};

it('saves statements for one admin, renames and deletes them, and stores them sealed', async () => {
  const saved = (method: string, path = '', body?: unknown, account: string = admin): Promise<Response> =>
    call(method, `/api/admin/sql/saved${path}`, { body, account, headers: { [asRoles]: 'admin' } });
  const list = async (account?: string): Promise<unknown> => {
    await parts.project();
    return (await saved('GET', '', undefined, account)).json();
  };
  const sqlQuery = 'select count(*) from strategies';
  const { id } = (await (await saved('POST', '', { name: ' All\n of them ', sqlQuery })).json()) as {
    id: string;
  };
  expect(await list()).toMatchObject([{ id, name: 'All of them', sqlQuery }]);
  expect(await list(newId())).toEqual([]);
  expect((await saved('POST', '', { name: 'all OF them', sqlQuery })).status).toBe(409);
  expect((await saved('POST', '', { name: 'Empty', sqlQuery: ' ' })).status).toBe(400);
  expect((await saved('PUT', `/${id}`, { name: 'Count' })).status).toBe(204);
  expect((await saved('PUT', `/${id}`, { name: 'Count' }, newId())).status).toBe(404);
  expect(await list()).toMatchObject([{ id, name: 'Count', sqlQuery }]);
  const { rows } = await parts.projector.databases.tapedeck.query('select * from saved_sql_statements');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/Count|strategies/);
  expect((await saved('DELETE', `/${id}`)).status).toBe(204);
  expect(await list()).toEqual([]);
});

const rolesMissing = {
  status: 503,
  body: {
    code: 'CONSOLE_ROLES_MISSING',
    detail: expect.stringMatching(/set CONSOLE_DATABASE_PASSWORD, run `npm run migrate`, and give the API/),
  },
};

it('says what to do when its roles are not configured, or do not exist', async () => {
  const stranger = new URL(parts.parts.readUrl ?? '');
  stranger.username = 'nobody_console_ro';
  for (const CONSOLE_READ_DATABASE_URL of [undefined, stranger.href]) {
    const [without, client] = await listen({ CONSOLE_READ_DATABASE_URL });
    try {
      expect(await execute(client, 'select 1')).toMatchObject(rolesMissing);
    } finally {
      await without.close();
    }
  }
  const history = await call('GET', '/api/admin/sql/history', { headers });
  // What could not begin is not recorded; what was recorded has an end.
  expect(((await history.json()) as SqlHistory).entries).toMatchObject([
    { sqlQuery: 'select 1', outcome: 'failed' },
  ]);
});

it('shows the newest 50 statements of a long history, also to a process that was started since', async () => {
  const account = newId();
  for (let nth = 1; nth <= 52; nth++) await parts.run('plan', `select ${nth}`, { account });
  const shown = async (client: TestClient): Promise<SqlHistory['entries']> => {
    const answer = await client('GET', '/api/admin/sql/history', { headers, account });
    return ((await answer.json()) as SqlHistory).entries;
  };
  const before = await shown(call);
  expect(before.map(({ sqlQuery }) => sqlQuery)).toEqual(
    Array.from({ length: 50 }, (_, index) => `select ${52 - index}`),
  );
  await parts.run('read', 'select wrong', { account });
  const after = await shown(call);
  expect(after.slice(0, 2)).toMatchObject([
    { sqlQuery: 'select wrong', outcome: 'failed', sqlState: '42703' },
    { sqlQuery: 'select 52', outcome: 'completed' },
  ]);
  const [restarted, client] = await listen();
  try {
    expect(await shown(client)).toEqual(after);
  } finally {
    await restarted.close();
  }
});

it('refuses the statement after the limit of its session, and of no other one', async () => {
  const [limited, client] = await listen({ RATE_LIMIT_SQL: { max: 3, windowMs: 60_000 } });
  try {
    for (let sent = 0; sent < 3; sent++) expect((await execute(client, 'select 1')).status).toBe(200);
    expect(await execute(client, 'select 1')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect((await execute(client, 'select 1', newId())).status).toBe(200);
    expect((await client('GET', '/api/admin/sql/history', { headers })).status).toBe(200);
  } finally {
    await limited.close();
  }
});

const consoleSessions = async (): Promise<number> => {
  const { rows } = await parts.administrator.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where usename ~ '_console_r[ow]$'`,
  );
  return rows[0]?.count ?? -1;
};

it('leaves no connection behind a client that stops reading a large answer', async () => {
  const { hostname, port } = new URL(await app.getUrl());
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const body = JSON.stringify({ sqlQuery: `select repeat('x', 70000) from generate_series(1, 100)` });
  const lines = [
    'POST /api/admin/execute-sql HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `${asAccount}: ${admin}`,
    `${asRoles}: admin`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(head.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
  await eventually(async () => expect(await consoleSessions()).toBe(0));
  expect((await execute(call, 'select 1')).body).toMatchObject({ success: true, rowCount: 1 });
  expect(socket.readyState).toBe('open');
  socket.destroy();
});
