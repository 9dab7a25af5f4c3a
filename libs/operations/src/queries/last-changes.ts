import { readable, unsealRows } from '@tapedeck/eventing';
import type { Change } from '../contract.ts';
import type { ChangeRow } from '../projections/operations.ts';
import type { OperationsReads } from './operations-reads.ts';

const lastSql = `select distinct on (projection) * from projection_changes order by projection, requested_at desc`;

const changeOf = (
  row: Omit<ChangeRow, 'reason'>,
  reason: string | null,
  names: ReadonlyMap<string, string>,
): Change => ({
  requestId: row.request_id,
  kind: row.kind,
  state: row.state,
  reason,
  requestedBy: row.requested_by,
  requestedByName: names.get(row.requested_by) ?? null,
  requestedAt: row.requested_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  eventsToRead: row.events_to_read === null ? null : Number(row.events_to_read),
  error: row.error,
  cancelledBy: row.cancelled_by,
  cancelledByName: names.get(row.cancelled_by ?? '') ?? null,
});

/** The last change of each projection, by its name. */
export const lastChanges = async ({
  store,
  databases,
  accounts,
}: OperationsReads): Promise<ReadonlyMap<string, Change>> => {
  const { rows } = await databases.tapedeck.query<ChangeRow>(lastSql);
  const opened = await unsealRows(store, rows, ['reason']);
  const names = await accounts.of(
    rows.flatMap(({ requested_by: one, cancelled_by: other }) => (other === null ? [one] : [one, other])),
  );
  return new Map(opened.map((row) => [row.projection, changeOf(row, readable(row.reason, null), names)]));
};
