import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import { expect } from '@jest/globals';
import { DomainError, newId } from '@tapedeck/kernel';
import type { NewEvent } from '../event.ts';
import { sampleEvent } from './sample-events.ts';

/** Makes a store over the given types; several stores of one subject share its tape. */
export type StoreSubject = Readonly<{
  open: (types: EventTypes) => EventStore;
  dispose: () => Promise<void>;
}>;

/** What the parts of the contract work with; the store is there once the tests run. */
export type ContractContext = Readonly<{
  store: () => EventStore;
  open: (types: EventTypes) => EventStore;
  appendSome: (stream: string, count: number) => Promise<void>;
  versions: (stream: string) => Promise<readonly number[]>;
}>;

export const contractTypes: EventTypes = { Noted: { version: 1 }, Counted: { version: 1 } };

export const newStream = (): string => `contract-${newId()}`;

export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof DomainError ? error.code : `not a DomainError: ${String(error)}`),
  );

export const numbered = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, index) => sampleEvent('Counted', { n: index + 1 }));

/** Waits until readers of the tape see everything up to the position. */
export const settled = async (store: EventStore, position: bigint): Promise<void> => {
  while ((await store.head()) < position) await new Promise((resolve) => setImmediate(resolve));
};

export const contractContext = (subject: () => StoreSubject, store: () => EventStore): ContractContext => ({
  store,
  open: (types) => subject().open(types),
  appendSome: async (stream, count) => {
    const result = await store().append(stream, 'ANY', numbered(count));
    expect(result.outcome).toBe('appended');
  },
  versions: async (stream) => (await store().readStream(stream)).map((event) => event.version),
});
