import { defineEffect, dispatch, type Dispatch, type Effect } from '@tapedeck/eventing';
import { ignore, restore, retry, type OperationParts } from '@tapedeck/eventing/operations';
import { operations } from '../domain/decide.ts';
import {
  type IgnoredEventRetried,
  operationsStream,
  type ParkedEventIgnored,
  type ParkedEventsRetried,
} from '../domain/operations.ts';

export type OperationsPorts = OperationParts;

type Handled = ParkedEventsRetried | ParkedEventIgnored | IgnoredEventRetried;

/** The event was handled meanwhile when there is nothing to ignore. */
const ignoreOrRecordMissed = async (
  ports: OperationsPorts,
  { data: { subscriber, position } }: ParkedEventIgnored,
): Promise<readonly Dispatch[]> => {
  if (await ignore(ports, subscriber, BigInt(position))) return [];
  return [dispatch(operations, operationsStream(subscriber), { type: 'RecordMissed', subscriber, position })];
};

/** Does what was decided about events that wait for a person. The projector may write where they are; the API may not. */
export const parkedEventsEffect = (ports: OperationsPorts): Effect =>
  defineEffect<Handled>({
    name: 'operations-parked-events',
    afterReplay: 'run',
    types: { ParkedEventsRetried: true, ParkedEventIgnored: true, IgnoredEventRetried: true },
    run: async (event, { now }) => {
      const { subscriber } = event.data;
      switch (event.type) {
        case 'ParkedEventsRetried':
          await retry(ports, subscriber, event.data.positions.map(BigInt));
          return [];
        case 'ParkedEventIgnored':
          return ignoreOrRecordMissed(ports, event);
        case 'IgnoredEventRetried':
          // For a read model the rebuild that was asked for with it does this.
          if (event.data.kind === 'reaction')
            await restore(ports, subscriber, BigInt(event.data.position), now);
          return [];
        default:
          return event satisfies never;
      }
    },
  });
