import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { accountId } from '@tapedeck/kernel';
import type pg from 'pg';
import type { Statement } from '../run/newest-statements.ts';
import { CancelSql, CancelSqlHandler } from './cancel-sql.ts';

const account = accountId('00000000-0000-4000-8000-000000000001');
const queryId = '00000000-0000-4000-8000-000000000002';

type Signal = 'cancel' | 'terminate';

/** A query with a connection, which `ends` says of each signal whether it ends the query. */
const runningQuery = (ends: (signal: Signal, count: number) => boolean) => {
  const signals: Signal[] = [];
  let outcome: Statement['outcome'] = 'running';
  const end = (_sql: string, [, isHard]: readonly [string, boolean]) => {
    const signal = isHard ? 'terminate' : 'cancel';
    signals.push(signal);
    if (ends(signal, signals.length)) outcome = 'failed';
    return Promise.resolve({ rows: [{ ended: true }] });
  };
  const catalogue = { query: end } as unknown as pg.Pool; // The handler uses this alone.
  const newest = () => Promise.resolve(new Map([[queryId, { outcome } as Statement]]));
  const handler = new CancelSqlHandler({
    parts: { catalogue, readUrl: undefined, writeUrl: undefined },
    execute: () => Promise.reject(new Error('not used')),
    newest,
  });
  return { signals, cancel: (id = queryId) => handler.execute(new CancelSql(account, id)) };
};

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const settled = async (cancelling: Promise<void>): Promise<unknown> => {
  const outcome = cancelling.then(
    () => 'cancelled',
    (error: unknown) => error,
  );
  await jest.advanceTimersByTimeAsync(10_000);
  return outcome;
};

describe('a query that is cancelled', () => {
  it('is sent the signal until it is over: between two statements one cancels nothing', async () => {
    const { signals, cancel } = runningQuery((_signal, count) => count === 3);
    expect(await settled(cancel())).toBe('cancelled');
    expect(signals).toEqual(['cancel', 'cancel', 'cancel']);
  });

  it('has its connection ended when it goes on for a second', async () => {
    const { signals, cancel } = runningQuery((signal) => signal === 'terminate');
    expect(await settled(cancel())).toBe('cancelled');
    expect(signals.filter((signal) => signal === 'terminate')).toHaveLength(1);
  });

  it('is refused when it does not begin within three seconds', async () => {
    const { signals, cancel } = runningQuery(() => false);
    expect(await settled(cancel('00000000-0000-4000-8000-000000000003'))).toMatchObject({
      code: 'QUERY_NOT_RUNNING',
    });
    expect(signals).toEqual([]);
  });
});
