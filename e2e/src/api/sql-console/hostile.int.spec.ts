import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { sqlConsoleStream } from '@tapedeck/sql-console/events';
import { admin, startConsoleServer, type ConsoleServer } from './console-server.ts';
import { hostile } from './hostile-statements.ts';

let parts: ConsoleServer;
let before: string;
let tried = 0;

beforeAll(async () => {
  parts = await startConsoleServer(600);
  before = await contents();
}, 60_000);
afterAll(async () => {
  process.stdout.write(`SQL console: ${tried} hostile statements tried\n`);
  await parts.dispose();
});

/** Every row of every table of the catalogue, roles, their settings, and the settings of the server. */
const contentsSql = `
  select md5(string_agg(part, chr(10) order by part)) as hash from (
    select c.oid::regclass || ' ' || coalesce((xpath('/row/h/text()', query_to_xml(
      format('select md5(string_agg(t::text, chr(10) order by t::text)) as h from %s t', c.oid::regclass),
      true, true, '')))[1]::text, '') as part
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'read_models') and c.relkind = 'r'
    union all select row(r.*)::text from pg_authid r
    union all select row(s.*)::text from pg_db_role_setting s
    union all select name || setting from pg_settings
      where name !~ '^(transaction_|application_name|search_path|in_hot)' ) all_of`;

const contents = async (): Promise<string> => {
  const { rows } = await parts.administrator.query<{ hash: string }>(contentsSql);
  return rows[0]?.hash ?? '';
};

const leftSql = `
  select (select count(*) from pg_stat_activity where usename ~ '_console_r[ow]$')
       + (select count(*) from pg_locks where locktype = 'advisory')
       + (select count(*) from pg_prepared_xacts) as left`;

const expectNothingLeft = async (): Promise<void> => {
  await eventually(async () => {
    const { rows } = await parts.administrator.query<{ left: string }>(leftSql);
    expect(rows[0]?.left).toBe('0');
  });
  expect(await contents()).toBe(before);
};

const expectRecorded = async (queryId: string): Promise<void> => {
  const events = await parts.api.store.readStream(sqlConsoleStream(admin), { form: 'sealed' });
  const own = events.filter(({ data }) => data['queryId'] === queryId).map(({ type }) => type);
  expect(own).toHaveLength(2);
  expect(own[0]).toBe('SqlRequested');
};

const paths = ['read', 'write'] as const;

describe.each(hostile)('%s', (_group, statements, read, write = read) => {
  it.each(paths)('on the %s path leaves everything as it was, and is on the tape', async (path) => {
    const expected = path === 'read' ? read : write;
    for (const sql of statements) {
      const queryId = newId();
      tried++;
      const { error } = await parts.run(path, sql, { queryId });
      const state = error?.sqlState ?? 'ok';
      const isExpected = expected.some((one) => state.startsWith(one));
      if (!isExpected) throw new Error(`${sql.slice(0, 200)} answered ${state}: ${error?.message ?? ''}`);
      await expectRecorded(queryId);
    }
    await expectNothingLeft();
  });
});
