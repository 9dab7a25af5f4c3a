import type { EventStore } from '@tapedeck/eventing';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import type { JsonObject } from '@tapedeck/kernel';
import { strategyEvents } from '@tapedeck/strategies/events';
import type { TestCatalogue } from './test-catalogue.ts';

const types = {
  ...strategyEvents,
  StrategyImported: { version: 2, upcasters: [(data: JsonObject): JsonObject => data] },
};

/** The store of a newer program, which writes strategies in a version that `catalogue.store` does not know. */
export const newerStore = ({ databases }: TestCatalogue): EventStore => {
  const store = createPostgresEventStore({ pool: databases.tapedeck, types });
  return {
    ...store,
    append: (stream, expected, events) =>
      store.append(
        stream,
        expected,
        events.map((event) => ({ ...event, schemaVersion: 2 })),
      ),
  };
};
