import { systemClock, type Clock } from '@tapedeck/kernel';
import { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import { followTape } from '../store/follow-tape.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { withPersonalData } from '../store/with-personal-data.ts';
import { isTransient } from '../postgres-errors.ts';
import { toStorableAppend } from '../store/storable.ts';
import { createTapeWatch } from '../store/head-poller.ts';
import { hasPersonalFields, withEventTypes, type OnUnknownType } from '../store/with-event-types.ts';
import { createAppendBatcher } from './postgres/append-batcher.ts';
import { defaultLimits, type BatchLimits } from './postgres/append-queue.ts';
import { sendAppends } from './postgres/append-sql.ts';
import { lookAtWriters, readStream, readStreams, readTape } from './postgres/read-tape.ts';
import { createSettledMark } from './postgres/settled-mark.ts';
import { countUnknown, measured, showFigures } from './postgres/tape-metrics.ts';

export type PostgresEventStoreOptions = Readonly<{
  /** Connections to the database of the tape: a pool of the caller's, or the URL for one of its own. */
  pool?: Pool;
  url?: string;
  types: EventTypes;
  /** Needed when any of the types has personal fields. */
  keys?: PersonalDataKeys;
  clock?: Clock;
  limits?: Partial<BatchLimits>;
  onUnknownType?: OnUnknownType;
}>;

type Connections = Readonly<{ pool: Pool; leave: () => Promise<void> }>;

/** A pool replaces a lost connection by itself; without a listener its report would end the process. */
const ignoreLoss = (): void => {};

const connect = ({ pool, url }: PostgresEventStoreOptions): Connections => {
  if (pool) {
    pool.on('error', ignoreLoss);
    const leave = async (): Promise<void> => {
      pool.off('error', ignoreLoss);
    };
    return { pool, leave };
  }
  if (!url) throw new Error('The event store needs a pool or the URL of its database.');
  const own = new Pool({ connectionString: url, max: 8, application_name: 'tapedeck tape' });
  own.on('error', ignoreLoss);
  return { pool: own, leave: () => own.end() };
};

/** The tape without types: what is written is what is read. */
const createPostgresTape = (options: PostgresEventStoreOptions): EventStore => {
  const { clock = systemClock, limits } = options;
  const { pool, leave } = connect(options);
  const batcher = createAppendBatcher(
    measured({ send: (appends) => sendAppends(pool, appends), isTransient }),
    { ...defaultLimits, ...limits },
    clock,
  );
  const mark = createSettledMark(lookAtWriters(pool), clock);
  const hideFigures = showFigures({ markAge: mark.age, waiting: batcher.waiting });
  const watch = createTapeWatch(mark.advance);
  const readPage = readTape(pool, mark);

  return {
    append: async (stream, expected, events) => {
      const result = await batcher.append(toStorableAppend(stream, expected, events));
      if (result.outcome === 'appended') watch.wake();
      return result;
    },
    readStream: readStream(pool),
    readStreams: readStreams(pool),
    readTape: readPage,
    follow: (options) =>
      followTape({ readTape: readPage, waitBeyond: watch.waitBeyond, isTransient }, options),
    head: mark.settled,
    close: async () => {
      await batcher.close();
      hideFigures();
      await leave();
    },
  };
};

/**
 * The tape in PostgreSQL; `eventingMigrations` makes its tables.
 *
 * @example
 * const store = createPostgresEventStore({ pool, types: { ...strategyEvents, ...favouriteEvents }, keys });
 */
export const createPostgresEventStore = (options: PostgresEventStoreOptions): EventStore => {
  const { types, keys, onUnknownType } = options;
  if (!keys && hasPersonalFields(types)) {
    throw new Error(
      'Some event types have personal fields: the event store needs the keys that encrypt them.',
    );
  }
  const tape = createPostgresTape(options);
  return withEventTypes(keys ? withPersonalData(tape, types, keys) : tape, types, (event) => {
    countUnknown(event.type);
    onUnknownType?.(event);
  });
};

export type { DataKey, PersonalDataKeys } from '../store/personal-data-keys.ts';
export {
  createPersonalDataKeys,
  type PostgresPersonalDataKeysOptions,
} from './postgres/personal-data-keys.ts';
export type { BatchLimits } from './postgres/append-queue.ts';
