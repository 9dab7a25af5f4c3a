import { commandTarget, dispatch, type Dispatch, type Effect, type RecordedEvent } from '@tapedeck/eventing';
import { ignore, restore, retry, type OperationParts } from '@tapedeck/eventing/operations';
import { operationsDecider } from '../domain/decide.ts';
import { operationsEvents, operationsStream } from '../events.ts';
import type { IgnoredEventRetried, ParkedEventIgnored, ParkedEventsRetried } from '../events.ts';

export type OperationsPorts = OperationParts;

type Handled = ParkedEventsRetried | ParkedEventIgnored | IgnoredEventRetried;

const operations = commandTarget(operationsDecider, operationsEvents);

/** The event was handled meanwhile when there is nothing to ignore. */
const ignoreOrRecordMissed = async (
  ports: OperationsPorts,
  { data: { subscriber, position } }: ParkedEventIgnored,
): Promise<readonly Dispatch[]> => {
  if (await ignore(ports, subscriber, BigInt(position))) return [];
  return [dispatch(operations, operationsStream(subscriber), { type: 'RecordMissed', subscriber, position })];
};

/** Does what was decided about events that wait for a person. The projector may write where they are; the API may not. */
export const parkedEventsEffect = (ports: OperationsPorts): Effect => ({
  name: 'operations-parked-events',
  afterReplay: 'run',
  types: ['ParkedEventsRetried', 'ParkedEventIgnored', 'IgnoredEventRetried'],
  run: async (event, { now }) => {
    // The runner gives an effect only events of its types.
    const handled = event as unknown as RecordedEvent<Handled>;
    const { subscriber } = handled.data;
    switch (handled.type) {
      case 'ParkedEventsRetried':
        await retry(ports, subscriber, handled.data.positions.map(BigInt));
        return [];
      case 'ParkedEventIgnored':
        return ignoreOrRecordMissed(ports, handled);
      case 'IgnoredEventRetried':
        // For a read model the rebuild that was asked for with it does this.
        if (handled.data.kind === 'reaction')
          await restore(ports, subscriber, BigInt(handled.data.position), now);
        return [];
      default:
        return handled satisfies never;
    }
  },
});
