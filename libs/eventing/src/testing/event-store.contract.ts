import { afterAll, beforeAll } from '@jest/globals';
import type { EventStore } from '../event-store.ts';
import { contractContext, contractTypes, type StoreUnderTest } from './contract-context.ts';
import { appendsContract } from './event-store-appends.contract.ts';
import { contentContract } from './event-store-content.contract.ts';
import { readsContract } from './event-store-reads.contract.ts';
import { snapshotsContract } from './event-store-snapshots.contract.ts';

/**
 * The tests that every adapter of the event store passes.
 *
 * @example
 * describe('memory', () => eventStoreContract(async () => ({ open, dispose })));
 */
export const eventStoreContract = (createAdapter: () => Promise<StoreUnderTest>): void => {
  let adapter: StoreUnderTest;
  let store: EventStore;

  beforeAll(async () => {
    adapter = await createAdapter();
    store = adapter.open(contractTypes);
  });
  afterAll(async () => {
    await store.close();
    await adapter.dispose();
  });

  const context = contractContext(
    () => adapter,
    () => store,
  );
  appendsContract(context);
  contentContract(context);
  readsContract(context);
  snapshotsContract(context);
};
