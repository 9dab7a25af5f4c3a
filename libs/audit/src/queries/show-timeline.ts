import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import { timelinePageSize, type Timeline, type TimelineFilter } from '../contract.ts';
import { AUDIT_READS, readPerson, summariesOf, type AuditReads } from './audit-reads.ts';
import { readTimeline } from './read-timeline.ts';

export class ShowTimeline extends Query<Timeline> {
  constructor(
    readonly accountId: AccountId,
    readonly filter: TimelineFilter,
    readonly before: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(ShowTimeline)
export class ShowTimelineHandler implements IQueryHandler<ShowTimeline> {
  readonly #reads: AuditReads;

  constructor(@Inject(AUDIT_READS) reads: AuditReads) {
    this.#reads = reads;
  }

  async execute({ accountId, filter, before }: ShowTimeline): Promise<Timeline> {
    const limit = timelinePageSize + 1;
    const [rows] = await Promise.all([
      readTimeline(this.#reads, accountId, { filter, before, limit }),
      readPerson(this.#reads, accountId),
    ]);
    const page = rows.slice(0, timelinePageSize);
    return {
      events: await summariesOf(this.#reads, page),
      before: rows.length > timelinePageSize ? (page.at(-1)?.position ?? null) : null,
    };
  }
}
