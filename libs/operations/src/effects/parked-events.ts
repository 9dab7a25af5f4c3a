import {
  commandTarget,
  dispatch,
  type Dispatch,
  type Effect,
  type EventStore,
  type Projection,
  type RecordedEvent,
} from '@tapedeck/eventing';
import {
  ignoreParkedEvent,
  poolOf,
  replayParked,
  type ProjectionDatabases,
} from '@tapedeck/eventing/projections';
import { leaveOutParked, retryPending, takeBack } from '@tapedeck/eventing/reactions';
import { operationsDecider } from '../domain/decide.ts';
import { operationsEvents, operationsStream } from '../events.ts';
import type { IgnoredEventRetried, ParkedEventIgnored, ParkedEventsRetried } from '../events.ts';

export type OperationsPorts = Readonly<{
  store: EventStore;
  databases: ProjectionDatabases & Readonly<{ tapedeck: ProjectionDatabases[string] }>;
  projections: readonly Projection[];
}>;

type Handled = ParkedEventsRetried | ParkedEventIgnored | IgnoredEventRetried;

const operations = commandTarget(operationsDecider, operationsEvents);

const projectionOf = ({ projections }: OperationsPorts, name: string): Projection | undefined =>
  projections.find((projection) => projection.name === name);

const retry = async (ports: OperationsPorts, { data }: ParkedEventsRetried): Promise<void> => {
  const projection = projectionOf(ports, data.subscriber);
  if (!projection) {
    await retryPending(ports.databases.tapedeck, data.subscriber, data.positions.map(BigInt));
    return;
  }
  const pool = poolOf(ports.databases, projection);
  await replayParked({ store: ports.store, pool, projection, positions: data.positions.map(BigInt) });
};

const ignore = async (
  ports: OperationsPorts,
  { data: { subscriber, position } }: ParkedEventIgnored,
): Promise<readonly Dispatch[]> => {
  const projection = projectionOf(ports, subscriber);
  const isIgnored = projection
    ? await ignoreParkedEvent(
        { store: ports.store, pool: poolOf(ports.databases, projection), projection },
        BigInt(position),
      )
    : await leaveOutParked(ports.databases.tapedeck, subscriber, BigInt(position));
  if (isIgnored) return [];
  return [dispatch(operations, operationsStream(subscriber), { type: 'RecordMissed', subscriber, position })];
};

/** Does what people have decided about events that wait for them. The projector may write where they are; the API may not. */
export const parkedEventsEffect = (ports: OperationsPorts): Effect => ({
  name: 'operations-parked-events',
  afterReplay: 'run',
  types: ['ParkedEventsRetried', 'ParkedEventIgnored', 'IgnoredEventRetried'],
  run: async (event, { now }) => {
    // The runner gives an effect only events of its types.
    const handled = event as unknown as RecordedEvent<Handled>;
    switch (handled.type) {
      case 'ParkedEventsRetried':
        await retry(ports, handled);
        return [];
      case 'ParkedEventIgnored':
        return ignore(ports, handled);
      case 'IgnoredEventRetried': {
        const { kind, subscriber, position } = handled.data;
        // A read model takes it in by the rebuild that was asked for with it.
        if (kind === 'reaction') await takeBack(ports.databases.tapedeck, subscriber, BigInt(position), now);
        return [];
      }
      default:
        return handled satisfies never;
    }
  },
});
