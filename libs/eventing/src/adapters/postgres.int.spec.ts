import { describe } from '@jest/globals';
import { eventStoreContract } from '../testing/event-store.contract.ts';
import { testDatabase } from '../testing/test-database.ts';
import { createPostgresEventStore } from './postgres.ts';

describe('postgres event store', () => {
  eventStoreContract(async () => {
    const database = await testDatabase();
    return {
      open: (types) => createPostgresEventStore({ pool: database.pool, types }),
      dispose: database.drop,
    };
  });
});
