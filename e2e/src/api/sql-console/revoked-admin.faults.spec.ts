import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventsAfter, fillCatalogue, startKillProduct, staffAt } from '../../kills/kill-product.ts';
import type { KillProduct } from '../../kills/kill-product.ts';
import { memberAt } from '../payments/buyers.ts';
import { changeRole } from '../payments/real-processes.ts';

const email = 'admin@example.com';
let product: KillProduct;
beforeAll(async () => {
  product = await startKillProduct();
  await fillCatalogue(product);
}, 120_000);
afterAll(() => product.close());

it('a role that is taken away ends an open console with its next request', async () => {
  const admin = await staffAt(product, 'admin', email);
  const sqlQuery = `update strategies set title = 'After the role'`;
  const dryRun = await admin.send('POST', '/api/admin/execute-sql', { sqlQuery });
  expect(dryRun).toMatchObject({ status: 200, body: { kind: 'changes' } });
  const { sha256, rowCount } = dryRun.body;
  const before = await eventsAfter(product, '0');
  await changeRole(product, ['revoke', 'admin', email]);
  const confirmed = { sqlQuery, sha256, rowCount, reason: 'ticket 4711' };
  // Its sessions end with it.
  expect(await admin.send('POST', '/api/admin/sql/commit', confirmed)).toMatchObject({ status: 401 });
  const member = await memberAt(product, email);
  expect(await member.send('POST', '/api/admin/sql/commit', confirmed)).toMatchObject({ status: 403 });
  expect(await member.send('POST', '/api/admin/execute-sql', { sqlQuery })).toMatchObject({ status: 403 });
  expect(await member.get('/api/admin/sql/history')).toMatchObject({ status: 403 });
  const { SqlRequested, SqlChangesCommitted } = await eventsAfter(product, '0');
  expect({ SqlRequested, SqlChangesCommitted }).toEqual({
    SqlRequested: before['SqlRequested'],
    SqlChangesCommitted: before['SqlChangesCommitted'],
  });
}, 120_000);
