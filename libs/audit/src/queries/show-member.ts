import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { AuditedMember, MemberNote } from '../contract.ts';
import type { NoteRow } from '../projections/people-rows.ts';
import { AUDIT_READS, readEmails, readPerson, type AuditReads } from './audit-reads.ts';
import { subjectsSql } from './member-subjects.ts';

export class ShowMember extends Query<AuditedMember> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

/** One round of index scans. */
const spanSql = `
  with ${subjectsSql}
  select count(*)::int as events, min(t.occurred_at) as first_at, max(t.occurred_at) as last_at
    from subjects s cross join lateral (
      select occurred_at from audit_timeline t
       where t.subject = s.subject and t.position <= coalesce(s.until, t.position)
    ) t`;

const subscriptionsSql = `
  with ${subjectsSql}
  select p.subject as subscription_id,
         (select min(r.reference) from audit_references r where r.subject = p.subject and r.kind = 'customer') as customer_id
    from purchases p where p.subject like 'sub\\_%' group by p.subject order by p.subject`;

const notesSql = `
  select note_id, text, is_pinned, event_id, written_by, written_at, redacted_by, redacted_at
    from audit_notes where account_id = $1 order by is_pinned desc, written_at desc, note_id`;

type Span = Readonly<{ events: number; first_at: Date | null; last_at: Date | null }>;
type Subscription = Readonly<{ subscription_id: string; customer_id: string | null }>;

const personal = ['email', 'first_name', 'last_name', 'discord_email', 'trading_view_username'] as const;

/** @example nameOf('Ada', 'Lovelace') // 'Ada Lovelace' */
export const nameOf = (first: string | null, last: string | null): string | null => {
  const name = [first, last].filter((part) => part !== null && part !== '').join(' ');
  return name === '' ? null : name;
};

@QueryHandler(ShowMember)
export class ShowMemberHandler implements IQueryHandler<ShowMember> {
  readonly #reads: AuditReads;

  constructor(@Inject(AUDIT_READS) reads: AuditReads) {
    this.#reads = reads;
  }

  async execute({ accountId }: ShowMember): Promise<AuditedMember> {
    const { pool, store, pageOf } = this.#reads;
    const sealed = await readPerson(this.#reads, accountId);
    const [[person], roles, span, subscriptions, notes] = await Promise.all([
      unsealRows(store, [sealed], personal),
      pool.query<{ role: string }>('select role from audit_roles where account_id = $1 order by role', [
        accountId,
      ]),
      pool.query<Span>(spanSql, [accountId]),
      pool.query<Subscription>(subscriptionsSql, [accountId]),
      this.#notes(accountId),
    ]);
    const plain = (name: (typeof personal)[number]): string | null =>
      person ? readable(person[name], null) : null;
    const email = plain('email');
    return {
      accountId,
      isDeleted: sealed.is_deleted || email === null,
      email,
      name: nameOf(plain('first_name'), plain('last_name')),
      discordEmail: plain('discord_email'),
      tradingViewUsername: plain('trading_view_username'),
      roles: roles.rows.map(({ role }) => role),
      registeredAt: sealed.registered_at.toISOString(),
      subscriptions: subscriptions.rows.map(({ subscription_id, customer_id }) => ({
        subscriptionId: subscription_id,
        customerId: customer_id,
        stripeUrl: pageOf(subscription_id),
      })),
      notes,
      firstAt: span.rows[0]?.first_at?.toISOString() ?? null,
      lastAt: span.rows[0]?.last_at?.toISOString() ?? null,
      events: span.rows[0]?.events ?? 0,
    };
  }

  async #notes(accountId: AccountId): Promise<MemberNote[]> {
    const { pool, store } = this.#reads;
    const { rows } = await pool.query<NoteRow>(notesSql, [accountId]);
    const [opened, emails] = await Promise.all([
      unsealRows(store, rows, ['text']),
      readEmails(
        this.#reads,
        rows.flatMap(({ written_by, redacted_by }) => [written_by, redacted_by ?? '']),
      ),
    ]);
    return opened.map((row) => ({
      noteId: row.note_id,
      text: row.redacted_at === null ? readable(row.text, null) : null,
      isPinned: row.is_pinned,
      eventId: row.event_id,
      writtenBy: row.written_by,
      writtenByName: emails.get(row.written_by) ?? null,
      writtenAt: row.written_at.toISOString(),
      redactedBy: row.redacted_by,
      redactedByName: emails.get(row.redacted_by ?? '') ?? null,
      redactedAt: row.redacted_at?.toISOString() ?? null,
    }));
  }
}
