import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '../postgres.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { sampleTypes } from '../../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { assertTapeUsable } from './check-tape.ts';

describe('assertTapeUsable', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('accepts an empty tape', async () => {
    const empty = await testDatabase();
    await expect(assertTapeUsable(empty.pool)).resolves.toBeUndefined();
    await empty.drop();
  });

  it('refuses a sequence that was restored below the events, and says how to correct it', async () => {
    const store = createPostgresEventStore({ pool: database.pool, types: sampleTypes });
    for (let n = 0; n < 3; n++) await store.append('sample-a', 'ANY', [sampleEvent('Ignored')]);
    await expect(assertTapeUsable(database.pool)).resolves.toBeUndefined();
    await database.pool.query(`select setval('tape_position', 1)`);
    const refusal: unknown = await assertTapeUsable(database.pool).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'TAPE_SEQUENCE_BEHIND' });
    const statement = /Run: (select [^;]+);/.exec(String(refusal))?.[1] ?? '';
    await database.pool.query(statement);
    await expect(assertTapeUsable(database.pool)).resolves.toBeUndefined();
    expect(await store.append('sample-a', 'ANY', [sampleEvent('Ignored')])).toMatchObject({ version: 4 });
    await store.close();
  });
});
