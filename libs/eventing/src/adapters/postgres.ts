import { systemClock, type Clock } from '@tapedeck/kernel';
import { Pool, type ClientConfig } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import type { Position } from '../event.ts';
import { isConnectionLoss } from '../postgres-errors.ts';
import { followTape, tapeChanged, type FollowSource } from '../store/follow-tape.ts';
import { createHeadPoller } from '../store/head-poller.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { toStorableAppend } from '../store/storable.ts';
import { hasPersonalFields, withEventTypes } from '../store/with-event-types.ts';
import { withoutKeys } from '../store/sealed-fields.ts';
import { withPersonalData } from '../store/with-personal-data.ts';
import { createAppendBatcher } from './postgres/append-batcher.ts';
import { defaultBatchLimits } from './postgres/append-queue.ts';
import { isTransientAppend, sendAppends } from './postgres/append-sql.ts';
import { createMarkConnection } from './postgres/mark-connection.ts';
import { findEvent, readEvent, readStream, readStreams } from './postgres/read-streams.ts';
import { createTapeReader } from './postgres/read-tape.ts';
import { createSettledMark } from './postgres/settled-mark.ts';
import { createSnapshots } from './postgres/snapshots.ts';
import { createTapeConnections } from './postgres/tape-connections.ts';
import { isTransientRead, orUnavailable } from './postgres/tape-errors.ts';
import { countUnknownEvent, registerStoreGauges, withBatchMetrics } from './postgres/tape-metrics.ts';
import {
  closeMs,
  connectionOptions,
  defaultTimeLimits,
  withinTime,
  type TimeLimits,
} from './postgres/time-limits.ts';

export type PostgresEventStoreOptions = Readonly<{
  /** Connections to the database of the tape: the caller's pool, or the URL for a pool of the store. */
  pool?: Pool;
  url?: string;
  types: EventTypes;
  /** Required when any of the types has personal fields. */
  keys?: PersonalDataKeys;
  clock?: Clock;
  /** A page of the tape ends with the event that reaches this size. */
  maxPageBytes?: number;
  timeLimits?: Partial<TimeLimits>;
}>;

const defaultMaxPageBytes = 8 << 20;
/** Of a connection: the clocks of process and server drift apart. */
const maxLifetimeSeconds = 3_600;

type Connections = Readonly<{ pool: Pool; config: ClientConfig; release: () => Promise<void> }>;

/** A pool replaces lost connections. Without a listener the error that reports the loss would end the process. */
const ignoreLostConnection = (): void => {};

const connect = ({ pool, url }: PostgresEventStoreOptions, limits: TimeLimits): Connections => {
  if (pool) {
    // Once for all stores of the pool. It stays when they close: it does nothing.
    if (!pool.listeners('error').includes(ignoreLostConnection)) pool.on('error', ignoreLostConnection);
    // The password is hidden from a copy of the options.
    const { password } = pool.options;
    return {
      pool,
      config: { ...pool.options, ...(password === undefined ? {} : { password }) },
      release: async () => {},
    };
  }
  if (!url) throw new Error('The event store needs a pool or the URL of its database.');
  const config = { ...connectionOptions(limits), connectionString: url };
  const own = new Pool({ ...config, max: 8, maxLifetimeSeconds, application_name: 'tapedeck tape' });
  own.on('error', ignoreLostConnection);
  // A connection that the server does not close must not keep the store from closing.
  return { pool: own, config, release: () => withinTime(own.end(), closeMs) };
};

/** The store without event types and encryption: it accepts and returns any event. */
const createPostgresTape = (options: PostgresEventStoreOptions): EventStore => {
  const { clock = systemClock, maxPageBytes = defaultMaxPageBytes } = options;
  const limits = { ...defaultTimeLimits, ...options.timeLimits };
  const { pool, config, release } = connect(options, limits);
  const connections = createTapeConnections(pool, limits);
  const sender = withBatchMetrics({
    send: (appends, onSent) => sendAppends(connections, appends, onSent, limits.attemptMs),
    isTransient: isTransientAppend,
    isUnknown: isConnectionLoss,
  });
  const batcher = createAppendBatcher(sender, defaultBatchLimits, limits.appendMs);
  const markConnection = createMarkConnection(config, limits);
  const mark = createSettledMark(markConnection, clock, limits.firstMarkMs);
  const removeGauges = registerStoreGauges({ markAgeMs: mark.ageMs, waitingAppends: batcher.waiting });
  const readHead = async (): Promise<Position> => (await mark.advance()).position;
  const poller = createHeadPoller(readHead);
  const tape = createTapeReader(connections, mark, markConnection.reset, maxPageBytes);
  const readStreamNow = readStream(connections);
  const readStreamsNow = readStreams(connections);
  const readEventNow = readEvent(connections);
  const findEventNow = findEvent(connections);
  const snapshots = createSnapshots(connections, limits);

  /** A reader notices another tape by its server, and when it ends before what the reader has read. */
  const watchTape: FollowSource['watchTape'] = () => {
    const changes = mark.tapeChanges();
    return (_, after) => {
      const end = mark.current()?.end ?? after;
      if (mark.tapeChanges() !== changes || end < after) throw tapeChanged();
    };
  };

  return {
    append: async (stream, expected, events) => {
      const result = await batcher.append(toStorableAppend(stream, expected, events));
      if (result.outcome === 'appended') poller.pollNow();
      return result;
    },
    readStream: (stream, streamOptions) => orUnavailable(readStreamNow(stream, streamOptions)),
    readStreams: (streams) => orUnavailable(readStreamsNow(streams)),
    findEvent: (stream, id) => orUnavailable(findEventNow(stream, id)),
    snapshots: {
      read: (stream, form) => orUnavailable(snapshots.read(stream, form)),
      write: (snapshot) => orUnavailable(snapshots.write(snapshot)),
    },
    ...withoutKeys,
    readEvent: (position) => orUnavailable(readEventNow(position)),
    readTape: (pageOptions) => orUnavailable(tape.read(pageOptions)),
    follow: (followOptions) =>
      followTape(
        { readTape: tape.readNext, waitBeyond: poller.waitBeyond, isTransient: isTransientRead, watchTape },
        followOptions,
      ),
    head: () => orUnavailable(readHead()),
    close: async () => {
      await batcher.close();
      removeGauges();
      await markConnection.close();
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
export { isTransient as isTransientDatabaseError } from '../postgres-errors.ts';
export { assertTapeUsable } from './postgres/check-tape.ts';
export { assertMasterKey } from './postgres/master-key.ts';
