import { systemClock, type Clock } from '@tapedeck/kernel';
import { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import { isTransient } from '../postgres-errors.ts';
import { followTape } from '../store/follow-tape.ts';
import { createHeadPoller } from '../store/head-poller.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { toStorableAppend } from '../store/storable.ts';
import { hasPersonalFields, withEventTypes } from '../store/with-event-types.ts';
import { withPersonalData } from '../store/with-personal-data.ts';
import { createAppendBatcher } from './postgres/append-batcher.ts';
import { defaultBatchLimits } from './postgres/append-queue.ts';
import { sendAppends } from './postgres/append-sql.ts';
import { readOpenAppends, readStream, readStreams, readTape } from './postgres/read-tape.ts';
import { createSettledMark } from './postgres/settled-mark.ts';
import { countUnknownEvent, registerStoreGauges, withBatchMetrics } from './postgres/tape-metrics.ts';

export type PostgresEventStoreOptions = Readonly<{
  /** Connections to the database of the tape: the caller's pool, or the URL for a pool of the store. */
  pool?: Pool;
  url?: string;
  types: EventTypes;
  /** Required when any of the types has personal fields. */
  keys?: PersonalDataKeys;
  clock?: Clock;
}>;

type Connections = Readonly<{ pool: Pool; release: () => Promise<void> }>;

/** A pool replaces lost connections. Without a listener the error that reports the loss would end the process. */
const ignoreLostConnection = (): void => {};

const connect = ({ pool, url }: PostgresEventStoreOptions): Connections => {
  if (pool) {
    pool.on('error', ignoreLostConnection);
    const release = async (): Promise<void> => {
      pool.off('error', ignoreLostConnection);
    };
    return { pool, release };
  }
  if (!url) throw new Error('The event store needs a pool or the URL of its database.');
  const own = new Pool({ connectionString: url, max: 8, application_name: 'tapedeck tape' });
  own.on('error', ignoreLostConnection);
  return { pool: own, release: () => own.end() };
};

/** The store without event types and encryption: it accepts and returns any event. */
const createPostgresTape = (options: PostgresEventStoreOptions): EventStore => {
  const { clock = systemClock } = options;
  const { pool, release } = connect(options);
  const sender = withBatchMetrics({ send: (appends) => sendAppends(pool, appends), isTransient });
  const batcher = createAppendBatcher(sender, defaultBatchLimits, clock);
  const mark = createSettledMark(readOpenAppends(pool), clock);
  const removeGauges = registerStoreGauges({ markAgeMs: mark.ageMs, waitingAppends: batcher.waiting });
  const poller = createHeadPoller(mark.advance);
  const readPage = readTape(pool, mark);

  return {
    append: async (stream, expected, events) => {
      const result = await batcher.append(toStorableAppend(stream, expected, events));
      if (result.outcome === 'appended') poller.pollNow();
      return result;
    },
    readStream: readStream(pool),
    readStreams: readStreams(pool),
    readTape: readPage,
    follow: (options) =>
      followTape({ readTape: readPage, waitBeyond: poller.waitBeyond, isTransient }, options),
    head: mark.whenKnown,
    close: async () => {
      await batcher.close();
      removeGauges();
      await release();
    },
  };
};

/**
 * The event store in PostgreSQL; `eventingMigrations` create its tables.
 *
 * @example
 * const store = createPostgresEventStore({ pool, types: { ...strategyEvents, ...favouriteEvents }, keys });
 */
export const createPostgresEventStore = (options: PostgresEventStoreOptions): EventStore => {
  const { types, keys } = options;
  if (!keys && hasPersonalFields(types)) {
    throw new Error(
      'Some event types have personal fields: the event store needs the keys that encrypt them.',
    );
  }
  const tape = createPostgresTape(options);
  return withEventTypes(keys ? withPersonalData(tape, types, keys) : tape, types, ({ type }) =>
    countUnknownEvent(type),
  );
};

export { createPersonalDataKeys } from './postgres/personal-data-keys.ts';
export { assertTapeUsable } from './postgres/check-tape.ts';
