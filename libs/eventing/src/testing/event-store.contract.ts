import { afterAll, beforeAll } from '@jest/globals';
import type { EventStore } from '../event-store.ts';
import { contractContext, contractTypes, type StoreSubject } from './contract-context.ts';
import { appendsContract } from './event-store-appends.contract.ts';
import { contentContract } from './event-store-content.contract.ts';
import { readsContract } from './event-store-reads.contract.ts';

export type { StoreSubject } from './contract-context.ts';

/**
 * What every adapter of the event store keeps to.
 *
 * @example
 * describe('memory', () => eventStoreContract(async () => ({ open, dispose })));
 */
export const eventStoreContract = (createSubject: () => Promise<StoreSubject>): void => {
  let subject: StoreSubject;
  let store: EventStore;

  beforeAll(async () => {
    subject = await createSubject();
    store = subject.open(contractTypes);
  });
  afterAll(async () => {
    await store.close();
    await subject.dispose();
  });

  const context = contractContext(
    () => subject,
    () => store,
  );
  appendsContract(context);
  contentContract(context);
  readsContract(context);
};
