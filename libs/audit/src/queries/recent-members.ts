import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isoNow, type Clock } from '@tapedeck/kernel';
import { CLOCK } from '@tapedeck/platform/tokens';
import type { RecentMembers } from '../contract.ts';
import type { PersonRow } from '../projections/people-rows.ts';
import { AUDIT_READS, type AuditReads } from './audit-reads.ts';
import { membersWithTier } from './members-with-tier.ts';

export class ListRecentMembers extends Query<RecentMembers> {}

const maxRecent = 12;

const recentSql = `
  select account_id, email, first_name, last_name, registered_at from audit_people
   where not is_deleted order by changed_position desc limit ${maxRecent}`;

@QueryHandler(ListRecentMembers)
export class ListRecentMembersHandler implements IQueryHandler<ListRecentMembers> {
  readonly #reads: AuditReads;
  readonly #clock: Clock;

  constructor(@Inject(AUDIT_READS) reads: AuditReads, @Inject(CLOCK) clock: Clock) {
    this.#reads = reads;
    this.#clock = clock;
  }

  async execute(): Promise<RecentMembers> {
    const { rows } = await this.#reads.pool.query<PersonRow>(recentSql);
    const found = await membersWithTier(this.#reads, rows, isoNow(this.#clock));
    const members = found.map((member, index) => ({
      ...member,
      registeredAt: rows[index]?.registered_at.toISOString() ?? '',
    }));
    // One who was deleted since has no name any more.
    return { members: members.filter(({ email }) => email !== null) };
  }
}
