import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const query = async (server: TestServer, sql: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
};

describe('a server of the test', () => {
  let primary: TestServer;
  beforeAll(async () => {
    primary = await startTestServer();
  });
  afterAll(() => primary.dispose());

  it('keeps its address and what was committed over a crash', async () => {
    await query(primary, 'create table kept (n integer); insert into kept values (1)');
    const url = primary.url('postgres');
    await primary.stop('immediate');
    await primary.start();
    expect(primary.url('postgres')).toBe(url);
    expect(await query(primary, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('has standbys that stream, refuse writes, and accept them once promoted', async () => {
    const standby = await primary.createStandby();
    try {
      await query(primary, 'create table streamed (n integer); insert into streamed values (2)');
      await eventually(async () =>
        expect(await query(standby, 'select n from streamed')).toEqual([{ n: 2 }]),
      );
      await expect(query(standby, 'insert into streamed values (3)')).rejects.toMatchObject({
        code: '25006',
      });
      await standby.promote();
      await query(standby, 'insert into streamed values (3)');
      expect(await query(standby, 'select n from streamed')).toHaveLength(2);
    } finally {
      await standby.dispose();
    }
  });
});
