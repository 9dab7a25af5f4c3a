import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import { type OperationsEvent, operationsEvents } from '../domain/operations.ts';

export type ChangeRow = Readonly<{
  request_id: string;
  projection: string;
  kind: 'rebuild' | 'roll-back';
  state: 'requested' | 'running' | 'cancelling' | 'completed' | 'failed' | 'cancelled';
  reason: Sealed<string>;
  requested_by: string;
  requested_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  events_to_read: string | null;
  error: string | null;
  cancelled_by: string | null;
}>;

export type IgnoredRow = Readonly<{
  /** The name of the consumer, as the events have it. */
  subscriber: string;
  position: string;
  kind: 'projection' | 'reaction';
  key: string;
  stream: string;
  type: string;
  error_group: string;
  reason: Sealed<string>;
  ignored_by: string;
  ignored_at: Date;
}>;

type Event = RecordedEvent<SealedEvent<OperationsEvent>>;
type AboutChange = Readonly<{ data: { readonly requestId: string }; metadata: Event['metadata'] }>;
type Request = Extract<Event, { type: 'RebuildRequested' | 'RollBackRequested' }>;

const requested = ({ data, metadata }: Request, kind: ChangeRow['kind']): RowChange => ({
  op: 'put',
  table: 'projection_changes',
  key: { request_id: data.requestId },
  row: {
    projection: data.projection,
    kind,
    state: 'requested',
    reason: data.reason,
    requested_by: metadata.actorId,
    requested_at: metadata.occurredAt,
  },
});

const changed = (
  { data }: AboutChange,
  state: ChangeRow['state'],
  more: Readonly<Record<string, string | number>>,
): RowChange => ({
  op: 'patch',
  table: 'projection_changes',
  key: { request_id: data.requestId },
  row: { state, ...more },
});

const ended = (
  event: AboutChange,
  state: 'completed' | 'failed' | 'cancelled',
  more: Readonly<Record<string, string>> = {},
): RowChange => changed(event, state, { ended_at: event.metadata.occurredAt, ...more });

const changesOf = (event: Event): readonly RowChange[] => {
  switch (event.type) {
    case 'RebuildRequested':
      return [requested(event, 'rebuild')];
    case 'RollBackRequested':
      return [requested(event, 'roll-back')];
    case 'RebuildStarted':
      return [
        changed(event, 'running', {
          started_at: event.metadata.occurredAt,
          events_to_read: event.data.eventsToRead,
        }),
      ];
    case 'RebuildCompleted':
    case 'RolledBack':
      return [ended(event, 'completed')];
    case 'RebuildFailed':
    case 'RollBackFailed':
      return [ended(event, 'failed', { error: event.data.error })];
    case 'ChangeCancelRequested':
      return [changed(event, 'cancelling', { cancelled_by: event.metadata.actorId })];
    case 'ChangeCancelled':
      return [ended(event, 'cancelled')];
    case 'ParkedEventsRetried':
      return [];
    case 'ParkedEventIgnored': {
      const { subscriber, position, kind, key, stream, eventType, group, reason } = event.data;
      const { actorId, occurredAt } = event.metadata;
      const row = { kind, key, stream, type: eventType, error_group: group, reason };
      return [
        {
          op: 'put',
          table: 'ignored_parked_events',
          key: { subscriber, position },
          row: { ...row, ignored_by: actorId, ignored_at: occurredAt },
        },
      ];
    }
    case 'IgnoreMissed':
    case 'IgnoredEventRetried': {
      const { subscriber, position } = event.data;
      return [{ op: 'remove', table: 'ignored_parked_events', key: { subscriber, position } }];
    }
    default:
      return event satisfies never;
  }
};

/** The changes of read models that people have asked for, and the events that they have ignored; reasons are sealed. */
export const operations = defineProjection<OperationsEvent>({
  name: 'operations',
  version: 2,
  database: 'tapedeck',
  types: operationsEvents,
  tables: [
    {
      name: 'projection_changes',
      key: ['request_id'],
      columns: {
        request_id: 'text',
        projection: 'text not null',
        kind: 'text not null',
        state: 'text not null',
        reason: 'text not null',
        requested_by: 'text not null',
        requested_at: 'timestamptz not null',
        started_at: 'timestamptz',
        ended_at: 'timestamptz',
        events_to_read: 'bigint',
        error: 'text',
        cancelled_by: 'text',
      },
      indexes: ['(projection, requested_at desc)'],
    },
    {
      name: 'ignored_parked_events',
      key: ['subscriber', 'position'],
      columns: {
        subscriber: 'text',
        position: 'bigint',
        kind: 'text not null',
        key: 'text not null',
        stream: 'text not null',
        type: 'text not null',
        error_group: 'text not null',
        reason: 'text not null',
        ignored_by: 'text not null',
        ignored_at: 'timestamptz not null',
      },
    },
  ],
  fold: (events) => events.flatMap(changesOf),
});
