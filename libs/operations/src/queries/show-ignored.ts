import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows } from '@tapedeck/eventing';
import type { IgnoredPage } from '../contract.ts';
import type { IgnoredRow } from '../projections/operations.ts';
import { OPERATIONS_READS, type OperationsReads } from './operations-reads.ts';

/** `withProjections`: for admins. */
export class ShowIgnored extends Query<IgnoredPage> {
  constructor(readonly withProjections: boolean) {
    super();
  }
}

const maxShown = 200;
const ignoredSql = `
  select * from ignored_parked_events where $1 or kind = 'reaction' order by ignored_at desc limit ${maxShown}`;

@QueryHandler(ShowIgnored)
export class ShowIgnoredHandler implements IQueryHandler<ShowIgnored> {
  readonly #reads: OperationsReads;

  constructor(@Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
  }

  async execute({ withProjections }: ShowIgnored): Promise<IgnoredPage> {
    const { databases, store, accounts } = this.#reads;
    const { rows } = await databases.tapedeck.query<IgnoredRow>(ignoredSql, [withProjections]);
    const opened = await unsealRows(store, rows, ['reason']);
    const names = await accounts.of(rows.map((row) => row.ignored_by));
    return {
      events: opened.map((row) => ({
        consumer: row.subscriber,
        kind: row.kind,
        position: row.position,
        key: row.key,
        stream: row.stream,
        type: row.type,
        group: row.error_group,
        reason: readable(row.reason, null),
        ignoredBy: row.ignored_by,
        ignoredByName: names.get(row.ignored_by) ?? null,
        ignoredAt: row.ignored_at.toISOString(),
      })),
    };
  }
}
