import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { assertMasterKey, createPersonalDataKeys } from '../postgres.ts';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const wrong = { code: 'PERSONAL_DATA_KEY_WRONG' };

describe('the master key', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('is the one that came first, also before it has encrypted anything', async () => {
    await assertMasterKey(database.pool, first);
    await assertMasterKey(database.pool, first);
    await expect(assertMasterKey(database.pool, second)).rejects.toMatchObject(wrong);
  });

  it('is recognised by keys that it has encrypted before its fingerprint was stored', async () => {
    await createPersonalDataKeys({ pool: database.pool, masterKey: first }).keyFor('account-a');
    await expect(assertMasterKey(database.pool, second)).rejects.toMatchObject(wrong);
    await assertMasterKey(database.pool, first);
  });

  it('is only one when two processes start with different keys at the same time', async () => {
    const results = await Promise.allSettled(
      [first, second, first, second].map((key) => assertMasterKey(database.pool, key)),
    );
    const isAccepted = results.map(({ status }) => status === 'fulfilled');
    expect(isAccepted[0]).toBe(isAccepted[2]);
    expect(isAccepted[1]).toBe(isAccepted[3]);
    expect(isAccepted[0]).not.toBe(isAccepted[1]);
  });
});
