import { isSealedEventOf, type Position } from '@tapedeck/eventing';
import { accountStream, identityEvents } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import type { EntitlementMode } from '@tapedeck/membership/rules';
import { membershipEvents, membershipStream } from '@tapedeck/membership/events';
import { subscriptionEvents, subscriptionStream } from '@tapedeck/payments/events';
import { extendHistory, memberHistory, type MemberEvent, type MemberHistory } from '../domain/history.ts';
import type { TimelineRow } from '../projections/timeline-rows.ts';
import { timelineColumns, type AuditReads } from './audit-reads.ts';
import { subjectsSql } from './member-subjects.ts';

/** The histories of the members that were asked about last, each as far as the timeline is. */
export type MemberHistories = Readonly<{ of: (account: AccountId) => Promise<MemberHistory> }>;

export type HistoriesOptions = Readonly<{ reads: AuditReads; mode: EntitlementMode; graceDays: number }>;

const maxHistories = 20;
/** About 100 MB of them. */
const maxEvents = 60_000;

type Read = Readonly<{
  history: MemberHistory;
  /** How many events of each stream it contains. */
  versions: ReadonlyMap<string, number>;
  end: Position;
}>;

/** The rows of the timeline end at the checkpoint, and so does the history: its chain consists of these rows. */
const endSql = `
  with ${subjectsSql}
  select (select position from projection_checkpoints where projection = 'audit_timeline' and status = 'live') as end,
         array(select distinct subject from purchases where subject like 'sub\\_%' order by 1) as subscriptions`;

type End = Readonly<{ end: string | null; subscriptions: readonly string[] }>;

const causesSql = `
  select ${timelineColumns} from audit_timeline t
   where t.event_id = any($1::uuid[]) and t.type = 'StripeEventReceived'`;

const { AccountRegistered, AccountForgotten } = identityEvents;
const isDecisive = isSealedEventOf({
  ...membershipEvents,
  ...subscriptionEvents,
  AccountRegistered,
  AccountForgotten,
});

const isBefore = (one: MemberEvent, other: MemberEvent): number => (one.position < other.position ? -1 : 1);

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** An event of Stripe as the cause of another one: only its id counts there, and its body would be most of a history. */
const causeOf = (row: TimelineRow): MemberEvent =>
  ({
    id: row.event_id,
    stream: row.stream,
    version: row.version,
    type: row.type,
    schemaVersion: 1,
    position: BigInt(row.position),
    recordedAt: row.recorded_at.toISOString(),
    data: { eventId: row.stripe_object },
    metadata: {
      actorId: row.actor_id,
      actorKind: row.actor_kind,
      occurredAt: row.occurred_at.toISOString(),
      correlationId: row.correlation_id,
      causationId: row.causation_id,
    },
  }) as unknown as MemberEvent;

const readCauses = async (
  { pool }: AuditReads,
  events: readonly MemberEvent[],
): Promise<readonly MemberEvent[]> => {
  const ids = new Set(events.map(({ metadata }) => metadata.causationId).filter((id) => uuid.test(id)));
  if (ids.size === 0) return [];
  const { rows } = await pool.query<TimelineRow>(causesSql, [[...ids]]);
  return rows.map(causeOf);
};

type Added = Readonly<{ events: readonly MemberEvent[]; versions: ReadonlyMap<string, number> }>;

/** Events of these streams after the known versions, up to the end. */
const readAdded = async (
  { store }: AuditReads,
  streams: readonly string[],
  known: ReadonlyMap<string, number>,
  end: Position,
): Promise<Added> => {
  const read = await Promise.all(
    streams.map(async (stream) => {
      const from = (known.get(stream) ?? 0) + 1;
      const events = await store.readStream(stream, { from, form: 'sealed' });
      return [stream, events.filter(({ position }) => position <= end)] as const;
    }),
  );
  const versions = new Map(known);
  for (const [stream, events] of read) {
    const last = events.at(-1);
    if (last) versions.set(stream, last.version);
  }
  return { events: read.flatMap(([, events]) => events).filter(isDecisive), versions };
};

const nothingRead: Added['versions'] = new Map();

/** From the tape itself, so that a read model which is built again changes nothing. */
const readHistory = async (
  { reads, mode, graceDays }: HistoriesOptions,
  accountId: AccountId,
  before: Read | undefined,
): Promise<Read> => {
  const { rows } = await reads.pool.query<End>(endSql, [accountId]);
  const end = BigInt(rows[0]?.end ?? 0);
  if (before && end <= before.end) return before;
  const streams = [
    membershipStream(accountId),
    accountStream(accountId),
    ...(rows[0]?.subscriptions ?? []).map(subscriptionStream),
  ];
  const { events, versions } = await readAdded(reads, streams, before?.versions ?? nothingRead, end);
  const added = [...events, ...(await readCauses(reads, events))].sort(isBefore);
  if (!before) return { history: memberHistory(added, { accountId, mode, graceDays }), versions, end };
  const known = added.filter(({ id }) => !before.history.byId.has(id));
  const [first] = known;
  const last = before.history.events.at(-1);
  // A purchase that was claimed since begins before what is known.
  const isLater = !first || !last || first.position > last.position;
  return isLater
    ? { history: extendHistory(before.history, known), versions, end }
    : readHistory({ reads, mode, graceDays }, accountId, undefined);
};

type Entry = { readonly read: Promise<Read>; events: number };

export const createMemberHistories = (options: HistoriesOptions): MemberHistories => {
  /** In the order of their last use. */
  const histories = new Map<AccountId, Entry>();
  const evict = (): void => {
    let events = [...histories.values()].reduce((sum, entry) => sum + entry.events, 0);
    for (const [account, entry] of histories) {
      if (histories.size <= maxHistories && (events <= maxEvents || histories.size === 1)) return;
      histories.delete(account);
      events -= entry.events;
    }
  };
  return {
    of: async (account) => {
      const before = histories.get(account)?.read;
      const read = (async () => readHistory(options, account, await before?.catch(() => undefined)))();
      const entry: Entry = { read, events: 0 };
      histories.delete(account);
      histories.set(account, entry);
      const { history } = await read;
      entry.events = history.events.length;
      evict();
      return history;
    },
  };
};
