import { expect } from '@jest/globals';
import { DomainError, newId } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import type { NewEvent } from '../event.ts';
import { sampleEvent } from './sample-events.ts';

/** The adapter under test. All stores that it opens share one tape. */
export type StoreUnderTest = Readonly<{
  open: (types: EventTypes) => EventStore;
  dispose: () => Promise<void>;
}>;

/** What the parts of the contract use. `store` may only be called while a test runs. */
export type ContractContext = Readonly<{
  store: () => EventStore;
  open: (types: EventTypes) => EventStore;
  appendCounted: (stream: string, count: number) => Promise<void>;
  versionsOf: (stream: string) => Promise<readonly number[]>;
}>;

export const contractTypes: EventTypes = { Noted: { version: 1 }, Counted: { version: 1 } };

export const newStream = (): string => `contract-${newId()}`;

export const errorCodeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof DomainError ? error.code : `not a DomainError: ${String(error)}`),
  );

export const countedEvents = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, index) => sampleEvent('Counted', { n: index + 1 }));

/** Waits until the tape can be read up to the position. */
export const waitForHead = async (store: EventStore, position: bigint): Promise<void> => {
  while ((await store.head()) < position) await new Promise((resolve) => setImmediate(resolve));
};

export const contractContext = (adapter: () => StoreUnderTest, store: () => EventStore): ContractContext => ({
  store,
  open: (types) => adapter().open(types),
  appendCounted: async (stream, count) => {
    const result = await store().append(stream, 'ANY', countedEvents(count));
    expect(result.outcome).toBe('appended');
  },
  versionsOf: async (stream) => (await store().readStream(stream)).map((event) => event.version),
});
