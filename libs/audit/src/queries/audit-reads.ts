import { readable, unsealRows, type EventStore, type Sealed } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type pg from 'pg';
import type { EventSummary, Lane, TextPart } from '../contract.ts';
import { isFailure } from '../domain/event-text.ts';
import { linkIds } from '../domain/linked-text.ts';
import type { SentencePart } from '../domain/sentence-parts.ts';
import type { PersonRow } from '../projections/people-rows.ts';
import type { TimelineRow } from '../projections/timeline-rows.ts';
import type { StripePages } from '@tapedeck/stripe/pages';
import { accountsIn, textParts } from './text-parts.ts';

/** What the queries read. */
export type AuditReads = Readonly<{
  pool: pg.Pool;
  store: EventStore;
  /** The address of Stripe's page of an object. */
  pageOf: StripePages;
}>;

export const AUDIT_READS = Symbol('AuditReads');

export const timelineColumns = `
  t.position, t.event_id, t.stream, t.version, t.type, t.lane, t.text, t.actor_kind, t.actor_id, t.causation_id,
  t.correlation_id, t.occurred_at, t.recorded_at, t.stripe_object, t.reason`;

const personSql = `
  select account_id, email, first_name, last_name, discord_email, trading_view_username, registered_at, is_deleted,
         changed_position
    from audit_people where account_id = $1`;

/** @throws DomainError MEMBER_NOT_FOUND */
export const readPerson = async ({ pool }: AuditReads, account: AccountId): Promise<PersonRow> => {
  const { rows } = await pool.query<PersonRow>(personSql, [account]);
  const [row] = rows;
  if (row) return row;
  throw new DomainError(
    'not-found',
    'MEMBER_NOT_FOUND',
    'There is no account with this id: search for the member again.',
  );
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

const emailsSql =
  'select account_id, email from audit_people where account_id = any($1) and email is not null';

/** The e-mail addresses of those ids that belong to accounts which were not deleted. */
export const readEmails = async (
  { pool, store }: AuditReads,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const accounts = [...new Set(ids)].filter((id) => uuid.test(id));
  if (accounts.length === 0) return new Map();
  const { rows } = await pool.query<{ account_id: string; email: Sealed<string> }>(emailsSql, [accounts]);
  const opened = await unsealRows(store, rows, ['email']);
  return new Map(
    opened.flatMap(({ account_id, email }) => {
      const plain = readable(email, null);
      return plain === null ? [] : [[account_id, plain] as const];
    }),
  );
};

/** Rows of the timeline as they are sent. */
export const summariesOf = async (
  reads: AuditReads,
  rows: readonly TimelineRow[],
): Promise<EventSummary[]> => {
  const linked = rows.map(({ text, type }) => linkIds(text, type));
  const actors = rows.map(({ actor_id }) => actor_id);
  const [emails, opened] = await Promise.all([
    readEmails(reads, [...actors, ...accountsIn(linked)]),
    unsealRows(reads.store, rows, ['reason']),
  ]);
  return opened.map((row, index) => ({
    id: row.event_id,
    position: row.position,
    stream: row.stream,
    version: row.version,
    type: row.type,
    lane: row.lane as Lane,
    text: row.text,
    parts: textParts(linked[index] ?? [], emails, reads),
    reason: readable(row.reason, null),
    isFailure: isFailure(row.type),
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: emails.get(row.actor_id) ?? null,
    causationId: row.causation_id,
    correlationId: row.correlation_id,
    occurredAt: row.occurred_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    stripeUrl: row.stripe_object === null ? null : reads.pageOf(row.stripe_object),
  }));
};

/** The parts of one text as they are sent. */
export const readTextParts = async (reads: AuditReads, parts: readonly SentencePart[]): Promise<TextPart[]> =>
  textParts(parts, await readEmails(reads, accountsIn([parts])), reads);
