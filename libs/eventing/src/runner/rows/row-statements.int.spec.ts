import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectionTable, Row, RowChange } from '../../projection.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { coalesce } from './coalesce.ts';
import { inTransaction } from '../transaction.ts';
import { rowStatements, runStatements } from './row-statements.ts';

const table: ProjectionTable = {
  name: 'kinds',
  key: ['id'],
  columns: {
    id: 'bigint',
    words: 'text[] not null default array[]::text[]',
    figure: 'double precision',
    amount: 'numeric(20, 4)',
    flag: 'boolean not null default false',
    at: 'timestamptz',
    day: 'date',
    document: 'jsonb',
    numbers: 'integer[]',
    title: "text not null default 'none'",
    title_length: 'integer generated always as (length(title)) stored',
  },
};

describe('rowStatements', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    const columns = Object.entries(table.columns).map(([name, type]) => `${name} ${type}`);
    await database.pool.query(`create table kinds_v1 (${columns.join(', ')}, primary key (id))`);
  });
  afterAll(() => database.drop());

  const write = async (...changes: readonly RowChange[]): Promise<void> => {
    await inTransaction(database.pool, (client) =>
      runStatements(
        client,
        rowStatements(coalesce([table], changes), () => 'kinds_v1'),
      ),
    );
  };
  const put = (id: number, row: Row): RowChange => ({ op: 'put', table: 'kinds', key: { id }, row });
  const read = async (id: number): Promise<Row | undefined> =>
    (await database.pool.query<Row>('select * from kinds_v1 where id = $1', [id])).rows[0];

  it('writes values of every column type unchanged', async () => {
    const nasty = '{"a", \\b\\, NULL} \'"\u0001\u001f🎛️\n';
    const row = {
      words: [nasty, '', 'NULL', 'a b'],
      figure: Number.POSITIVE_INFINITY,
      amount: '12345678901234.5678',
      flag: true,
      document: { text: nasty, list: [1, [2]], none: null },
      numbers: [1, 2],
      title: nasty,
    };
    await write(put(1, { ...row, at: '2026-11-21T12:00:00.123Z', day: '2026-11-21' }));
    expect(await read(1)).toMatchObject({ ...row, id: '1', at: new Date('2026-11-21T12:00:00.123Z') });
    await write(
      put(1, { words: [], figure: Number.NaN, document: [1, 'a'], title: '', at: null, numbers: null }),
    );
    expect(await read(1)).toMatchObject({
      words: [],
      figure: Number.NaN,
      document: [1, 'a'],
      title: '',
      numbers: null,
    });
    await write(put(1, { figure: -0.1, document: 'text', amount: 9007199254740993n }));
    expect(await read(1)).toMatchObject({ figure: -0.1, document: 'text', amount: '9007199254740993.0000' });
  });

  it('sets the columns that a put does not name to their defaults', async () => {
    await write(put(2, { title: 'full', flag: true, words: ['a'], figure: 1 }));
    await write(put(2, { figure: 2 }));
    expect(await read(2)).toMatchObject({
      title: 'none',
      title_length: 4,
      flag: false,
      words: [],
      figure: 2,
    });
  });

  it('patches only the named columns, and only rows that exist', async () => {
    await write(put(3, { title: 'unchanged', figure: 1 }));
    await write(
      { op: 'patch', table: 'kinds', key: { id: 3 }, row: { figure: 5 } },
      { op: 'patch', table: 'kinds', key: { id: 4 }, row: { figure: 5 } },
      { op: 'patch', table: 'kinds', key: { id: 3 }, row: {} },
    );
    expect(await read(3)).toMatchObject({ title: 'unchanged', figure: 5 });
    expect(await read(4)).toBeUndefined();
  });

  it('removes rows', async () => {
    await write(put(5, { title: 'removed' }), put(6, { title: 'unchanged' }));
    await write(
      { op: 'remove', table: 'kinds', key: { id: 5 } },
      { op: 'remove', table: 'kinds', key: { id: 99 } },
    );
    expect(await read(5)).toBeUndefined();
    expect(await read(6)).toMatchObject({ title: 'unchanged' });
  });

  it('writes more rows than fit into one statement', async () => {
    const title = 'x'.repeat(100_000);
    await write(...Array.from({ length: 200 }, (_, index) => put(1_000 + index, { title })));
    const { rows } = await database.pool.query('select count(*)::int as n from kinds_v1 where title = $1', [
      title,
    ]);
    expect(rows).toEqual([{ n: 200 }]);
  });

  it('throws for a column that the table does not have', async () => {
    await expect(write(put(7, { colour: 'red' }))).rejects.toThrow('column "colour"');
  });
});
