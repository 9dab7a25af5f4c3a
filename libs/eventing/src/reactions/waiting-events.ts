import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import type { PendingState } from './pending-events.ts';
import { heldFor } from './pending-rows.ts';

/** An event that a read model, a reaction or an effect has not handled. Its content is on the tape. */
export type WaitingEvent = Readonly<{
  consumer: string;
  kind: 'projection' | 'reaction';
  position: Position;
  key: string;
  stream: string;
  type: string;
  state: PendingState;
  attempts: number;
  error: string | null;
  /** The error without the ids, numbers and texts of this one event. */
  group: string | null;
  waitingFor: string | null;
  isHeld: boolean;
  /** The event of its key that has to be handled first. */
  behind: Position | null;
  nextAttemptInMs: number | null;
  /** ISO 8601 UTC. */
  since: string;
}>;

export type WaitingFilter = Readonly<{
  /** Those of read models too; otherwise only those of reactions and effects. */
  withProjections: boolean;
  /** The database of the tape has the events of reactions. */
  withReactions: boolean;
  consumer?: string | undefined;
  states?: readonly PendingState[] | undefined;
  group?: string | undefined;
  /** Only these positions. */
  positions?: readonly Position[] | undefined;
}>;

export type WaitingPage = Readonly<{
  after?: Readonly<{ position: Position; consumer: string }>;
  limit: number;
}>;

export type WaitingGroup = Readonly<{
  consumer: string;
  kind: WaitingEvent['kind'];
  group: string;
  state: PendingState;
  events: number;
  oldest: string;
}>;

/** What differs between two occurrences of one error: ids, addresses, times and numbers, and what stands in quotes. */
const normalised = (column: string): string => {
  const patterns = [
    [`"[^"]*"|''[^'']*''`, '"…"'],
    ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '#'],
    [String.raw`[^\s@]+@[^\s@]+`, '…@…'],
    [String.raw`\m[a-z]+_[A-Za-z0-9]*[0-9][A-Za-z0-9_]*`, '#'],
    [String.raw`\m(?=[0-9a-f]*[0-9])[0-9a-f]{12,}\M`, '#'],
    [String.raw`[0-9]+([.,:][0-9]+)*`, '#'],
  ] as const;
  return patterns.reduce(
    (sql, [pattern, by]) => `regexp_replace(${sql}, '${pattern}', '${by}', 'g')`,
    `left(${column}, 300)`,
  );
};

const projectionsSql = `
  select projection as consumer, 'projection' as kind, p.version, position, key, stream, type, attempts, error,
    null as waiting_for, parked_at as since, null::double precision as next_in_ms,
    case when error is null then 'behind' else 'parked' end as state
  from projection_parked_events p
  where projection not like '%:%'
    and exists (select from projection_checkpoints c
      where c.projection = p.projection and c.version = p.version and c.status = 'live')`;

const reactionsSql = `
  select reaction as consumer, 'reaction' as kind, 1 as version, position, key, stream, type, attempts, error, waiting_for,
    pending_since as since,
    (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::double precision as next_in_ms,
    case when parked then 'parked' when next_attempt_at is null then 'behind'
         when waiting_for is not null then 'waiting' when error is not null then 'retrying' else 'queued' end as state
  from reaction_pending_events`;

const waitingSql = ({ withProjections, withReactions }: WaitingFilter): string => {
  const parts = [...(withProjections ? [projectionsSql] : []), ...(withReactions ? [reactionsSql] : [])];
  return `select *, ${normalised('error')} as error_group from (${parts.join(' union all ')}) every
    where ($1::text is null or consumer = $1) and ($2::text[] is null or state = any($2))
      and ($3::bigint[] is null or position = any($3))`;
};

const filterValues = ({ consumer, states, positions, group }: WaitingFilter): readonly unknown[] => [
  consumer ?? null,
  states ?? null,
  positions?.map(String) ?? null,
  group ?? null,
];

const isEmpty = ({ withProjections, withReactions }: WaitingFilter): boolean =>
  !withProjections && !withReactions;

type Row = Readonly<{
  consumer: string;
  kind: WaitingEvent['kind'];
  position: string;
  key: string;
  stream: string;
  type: string;
  state: PendingState;
  attempts: number;
  error: string | null;
  error_group: string | null;
  waiting_for: string | null;
  next_in_ms: number | null;
  since: Date;
  first: string;
}>;

const eventOf = (row: Row): WaitingEvent => ({
  consumer: row.consumer,
  kind: row.kind,
  position: BigInt(row.position),
  key: row.key,
  stream: row.stream,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  group: row.error_group,
  waitingFor: row.waiting_for,
  isHeld: row.state === 'parked' && row.waiting_for === heldFor,
  behind: row.state === 'behind' ? BigInt(row.first) : null,
  nextAttemptInMs: row.next_in_ms,
  since: row.since.toISOString(),
});

const firstSql = `case when state <> 'behind' then position when kind = 'projection' then (
    select min(f.position) from projection_parked_events f
    where f.projection = waiting.consumer and f.version = waiting.version and f.key = waiting.key)`;
const firstOfReactionSql = `else (select min(f.position) from reaction_pending_events f
    where f.reaction = waiting.consumer and f.key = waiting.key)`;

/** The events of one database that wait, the oldest first. */
export const waitingEvents = async (
  pool: Pool,
  filter: WaitingFilter,
  { after, limit }: WaitingPage,
): Promise<readonly WaitingEvent[]> => {
  if (isEmpty(filter)) return [];
  const first = `${firstSql} ${filter.withReactions ? firstOfReactionSql : ''} end`;
  const { rows } = await pool.query<Row>(
    `select waiting.*, ${first} as first from (
       select * from (${waitingSql(filter)}) found
       where ($4::text is null or error_group = $4)
         and ($5::bigint is null or (position, consumer) > ($5, $6::text))
       order by position, consumer limit $7) waiting
     order by position, consumer`,
    [...filterValues(filter), after ? String(after.position) : null, after?.consumer ?? null, limit],
  );
  return rows.map(eventOf);
};

type GroupRow = Omit<WaitingGroup, 'oldest' | 'group'> &
  Readonly<{ error_group: string | null; oldest: Date }>;

const maxGroups = 200;

/** How many events of one database have failed with the same error, the largest group first. */
export const waitingGroups = async (pool: Pool, filter: WaitingFilter): Promise<readonly WaitingGroup[]> => {
  if (isEmpty(filter)) return [];
  const { rows } = await pool.query<GroupRow>(
    `select consumer, kind, error_group, state, count(*)::integer as events, min(since) as oldest
     from (${waitingSql(filter)}) waiting where ($4::text is null or error_group = $4)
     group by 1, 2, 3, 4 order by events desc, consumer limit ${maxGroups}`,
    [...filterValues(filter)],
  );
  return rows.map(({ error_group: group, oldest, ...row }) => ({
    ...row,
    group: group ?? '',
    oldest: oldest.toISOString(),
  }));
};
