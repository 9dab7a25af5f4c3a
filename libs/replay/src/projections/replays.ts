import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import type { ReplayEvent, ReplayMode, ReplayTarget } from '../domain/replay.ts';

const table = 'payment_replays';

export type ReplayRow = Readonly<{
  replay_id: string;
  position: string;
  mode: ReplayMode;
  target: ReplayTarget;
  account_id: string | null;
  status: 'tried' | 'applying' | 'applied';
  tried_at: Date;
  tried_by: string;
  applied_at: Date | null;
  applied_by: string | null;
  reason: Sealed<string> | null;
  fingerprint: string;
  before_hash: string;
  after_hash: string;
  events: number;
  fields: number;
}>;

const changeOf = ({ type, data, metadata, position }: RecordedEvent<SealedEvent<ReplayEvent>>): RowChange => {
  const at = { table, key: { replay_id: data.replayId } } as const;
  switch (type) {
    case 'ReplayTried':
      return {
        op: 'put',
        ...at,
        row: {
          position: String(position),
          mode: data.mode,
          target: data.target,
          account_id: data.accountId,
          status: 'tried',
          tried_at: metadata.occurredAt,
          tried_by: metadata.actorId,
          fingerprint: data.fingerprint,
          before_hash: data.beforeHash,
          after_hash: data.afterHash,
          events: data.events,
          fields: data.fields,
        },
      };
    case 'ReplayApplied':
      return {
        op: 'patch',
        ...at,
        row: {
          status: 'applying',
          applied_at: metadata.occurredAt,
          applied_by: metadata.actorId,
          reason: data.reason,
        },
      };
    case 'ReplayCompleted':
      return { op: 'patch', ...at, row: { status: 'applied' } };
    default:
      return type satisfies never;
  }
};

/** The replays that were tried, and those that were applied. */
export const replays = defineProjection<ReplayEvent>({
  name: 'payment_replays',
  version: 1,
  database: 'tapedeck',
  types: { ReplayTried: true, ReplayApplied: true, ReplayCompleted: true },
  tables: [
    {
      name: table,
      key: ['replay_id'],
      columns: {
        replay_id: 'uuid not null',
        position: 'bigint not null',
        mode: 'text not null',
        target: 'jsonb not null',
        account_id: 'uuid',
        status: 'text not null',
        tried_at: 'timestamptz not null',
        tried_by: 'text not null',
        applied_at: 'timestamptz',
        applied_by: 'text',
        reason: 'text',
        fingerprint: 'text not null',
        before_hash: 'text not null',
        after_hash: 'text not null',
        events: 'integer not null',
        fields: 'integer not null',
      },
      indexes: ['(position)', '(account_id, position)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
