import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId, type EventId } from '@tapedeck/kernel';
import type { EventDetail } from '../contract.ts';
import type { TimelineRow } from '../projections/timeline-rows.ts';
import { AUDIT_READS, summariesOf, timelineColumns, type AuditReads } from './audit-reads.ts';
import { isOfMember, subjectsSql } from './member-subjects.ts';

export class ShowEvent extends Query<EventDetail> {
  constructor(
    readonly accountId: AccountId,
    readonly eventId: EventId,
  ) {
    super();
  }
}

const maxCorrelated = 500;

const eventSql = `
  with ${subjectsSql}
  select ${timelineColumns} from audit_timeline t where t.event_id = $2 and ${isOfMember('t')}`;

/** Those of this member: a run of a job, say, correlates events of many members. */
const correlationSql = `
  with ${subjectsSql}
  select ${timelineColumns} from audit_timeline t
   where t.correlation_id = $2 and ${isOfMember('t')} order by t.position limit ${maxCorrelated}`;

const notFound = (): DomainError =>
  new DomainError(
    'not-found',
    'EVENT_NOT_FOUND',
    'There is no such event in the history of this member: open it from the timeline.',
  );

/** The row of an event of the member. @throws DomainError EVENT_NOT_FOUND */
export const readEventRow = async (
  { pool }: Pick<AuditReads, 'pool'>,
  account: AccountId,
  event: EventId,
): Promise<TimelineRow> => {
  const { rows } = await pool.query<TimelineRow>(eventSql, [account, event]);
  if (rows[0]) return rows[0];
  throw notFound();
};

/** A valid code is enough to claim a purchase, which only its buyer may. */
const secretFields: Readonly<Record<string, readonly string[]>> = {
  ClaimCodeRequested: ['code', 'codeHash'],
  CheckoutStarted: ['claimSecretHash'],
};

const withoutSecrets = (type: string, data: object): object => ({
  ...data,
  ...Object.fromEntries((secretFields[type] ?? []).map((field) => [field, { $hidden: true }])),
});

@QueryHandler(ShowEvent)
export class ShowEventHandler implements IQueryHandler<ShowEvent> {
  readonly #reads: AuditReads;

  constructor(@Inject(AUDIT_READS) reads: AuditReads) {
    this.#reads = reads;
  }

  async execute({ accountId, eventId }: ShowEvent): Promise<EventDetail> {
    const { pool, store } = this.#reads;
    const row = await readEventRow(this.#reads, accountId, eventId);
    const [stored, correlated] = await Promise.all([
      store.readStream(row.stream, { from: row.version, upTo: row.version }),
      pool.query<TimelineRow>(correlationSql, [accountId, row.correlation_id]),
    ]);
    const [event] = stored;
    if (!event) throw notFound();
    const [summary, ...correlation] = await summariesOf(this.#reads, [row, ...correlated.rows]);
    if (!summary) throw notFound();
    return {
      event: summary,
      data: withoutSecrets(event.type, event.data),
      metadata: event.metadata,
      schemaVersion: event.schemaVersion,
      correlation,
    };
  }
}
