import type { AccountId } from '@tapedeck/kernel';
import type { TimelineFilter } from '../contract.ts';
import type { TimelineRow } from '../projections/timeline-rows.ts';
import { timelineColumns, type AuditReads } from './audit-reads.ts';
import { subjectsSql } from './member-subjects.ts';

const maxPosition = '9223372036854775807';

/** The newest rows of each subject, from the index alone, then the newest of all of them. */
const pageSql = `
  with ${subjectsSql}
  select ${timelineColumns}
    from (
      select newest.position
        from subjects s cross join lateral (
          select p.position from audit_timeline p
           where p.subject = s.subject
             and p.position < least($2::bigint, coalesce(s.until + 1, ${maxPosition}))
             and ($4::text[] is null or p.lane = any($4))
             and ($5::text[] is null or p.type = any($5))
             and ($6::text is null or p.actor_kind = $6)
             and ($7::timestamptz is null or p.occurred_at >= $7)
             and ($8::timestamptz is null or p.occurred_at <= $8)
           order by p.position desc limit $3
        ) newest
       order by newest.position desc limit $3
    ) page join audit_timeline t using (position)
   order by t.position desc`;

export type PageOptions = Readonly<{ filter: TimelineFilter; before?: string | undefined; limit: number }>;

/** Rows of the member's timeline before a position, the newest first. */
export const readTimeline = async (
  { pool }: Pick<AuditReads, 'pool'>,
  account: AccountId,
  { filter: { lanes, types, actorKind, from, to }, before = maxPosition, limit }: PageOptions,
): Promise<readonly TimelineRow[]> => {
  const filters = [lanes ?? null, types ?? null, actorKind ?? null, from ?? null, to ?? null];
  const { rows } = await pool.query<TimelineRow>(pageSql, [account, before, limit, ...filters]);
  return rows;
};
