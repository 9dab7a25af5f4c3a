import { expect } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { SqlHistory } from '@tapedeck/sql-console/contract';
import { demoRecords } from '@tapedeck/strategies/demo';
import { strategyStream } from '@tapedeck/strategies/events';
import type { Answer } from '../api/payments/buyers.ts';
import { eventsAfter, fillCatalogue, headOf, staffAt, type KillProduct } from './kill-product.ts';
import { append, killDuring, withoutAnswer, type Kill, type Run, type Scenario } from './scenario.ts';

const kills: readonly Kill[] = [
  {
    name: 'before it runs',
    process: 'api',
    at: append('after', 'SqlRequested'),
    left: { SqlChangesCommitted: false },
  },
  {
    name: 'after the roll-back and before the append',
    process: 'api',
    at: append('before', 'SqlChangesCommitted'),
    left: { SqlChangesCommitted: false },
  },
  {
    name: 'after the append',
    process: 'api',
    at: append('after', 'SqlChangesCommitted'),
    left: { SqlChangesCommitted: true },
  },
  {
    name: 'before the answer',
    process: 'api',
    at: append('after', 'SqlCompleted'),
    left: { SqlChangesCommitted: true },
  },
];

const open = async (product: KillProduct): Promise<Run> => {
  await fillCatalogue(product);
  const admin = await staffAt(product, 'admin', 'sql@example.com');
  const urlId = [...demoRecords({ count: 1 })][0]?.url_id ?? '';

  const commit = async (key: string, body: object): Promise<Answer> => {
    const headers = { origin: product.url, 'content-type': 'application/json', 'idempotency-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await admin.browser.request(`${product.url}/api/admin/sql/commit`, init);
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const countAmended = async (title: string): Promise<number> =>
    (await product.product.store.readStream(strategyStream(urlId))).filter(
      ({ type, data }) => type === 'StrategyAmended' && JSON.stringify(data).includes(title),
    ).length;

  return async (kill) => {
    const title = `Changed by the one that died ${kill?.name ?? 'never'}`;
    const sqlQuery = `update strategies set title = '${title}' where url_id = '${urlId}'`;
    const dryRun = await admin.send('POST', '/api/admin/execute-sql', { sqlQuery });
    expect(dryRun).toMatchObject({ status: 200, body: { kind: 'changes', rowCount: 1 } });
    const position = await headOf(product);
    const body = { sqlQuery, sha256: dryRun.body['sha256'], rowCount: 1, reason: 'ticket 4711' };
    const key = newId();
    if (kill) {
      await killDuring(product, kill, () => withoutAnswer(commit(key, body)));
      const history = SqlHistory.parse((await admin.get('/api/admin/sql/history')).body);
      expect(history.entries[0]).toMatchObject(
        kill.left?.['SqlChangesCommitted'] ? { outcome: 'completed', rowCount: 1 } : { outcome: 'running' },
      );
    }
    // Sent again, and once more.
    const answers = [await commit(key, body), await commit(key, body)].map(({ status, body: answer }) => ({
      status,
      kind: answer['kind'],
      rowCount: answer['rowCount'],
    }));
    await eventually(async () => expect(await countAmended(title)).toBe(1));
    return { answers, commits: (await eventsAfter(product, position))['SqlChangesCommitted'] };
  };
};

const made = { status: 200, kind: 'committed', rowCount: 1 };

export const sqlChange: Scenario = {
  title: 'a change by the SQL console',
  kills,
  outcome: { answers: [made, made], commits: 1 },
  open,
};
