import { defineProjection, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import type { ImportCounts, StrategyImportEvent } from '../domain/strategy-import.ts';

export type ImportRow = Readonly<
  ImportCounts & {
    import_id: string;
    name: string;
    requested_by: string;
    requested_at: Date;
    status: 'running' | 'completed' | 'failed';
    ended_at: Date | null;
    reason: string | null;
  }
>;

const table = 'strategy_imports';

const endedRow = (
  { data, metadata }: RecordedEvent<Extract<StrategyImportEvent, { data: ImportCounts }>>,
  status: ImportRow['status'],
  reason: string | null,
): RowChange => {
  const { importId, added, revised, unchanged, rejected } = data;
  const row = { added, revised, unchanged, rejected, status, reason, ended_at: metadata.occurredAt };
  return { op: 'patch', table, key: { import_id: importId }, row };
};

const changesOf = (event: RecordedEvent<StrategyImportEvent>): readonly RowChange[] => {
  switch (event.type) {
    case 'ImportRequested': {
      const { importId, source } = event.data;
      const { actorId, occurredAt } = event.metadata;
      const row = { name: source.name, requested_by: actorId, requested_at: occurredAt, status: 'running' };
      return [{ op: 'put', table, key: { import_id: importId }, row }];
    }
    case 'ImportEntryRejected':
      return [];
    case 'ImportCompleted':
      return [endedRow(event, 'completed', null)];
    case 'ImportFailed':
      return [endedRow(event, 'failed', event.data.reason)];
    default:
      return event satisfies never;
  }
};

/** The imports with their counts, for the list of the last ones. */
export const imports = defineProjection<StrategyImportEvent>({
  name: 'strategy_imports',
  version: 1,
  database: 'tapedeck',
  types: {
    ImportRequested: { version: 1 },
    ImportEntryRejected: { version: 1 },
    ImportCompleted: { version: 1 },
    ImportFailed: { version: 1 },
  },
  tables: [
    {
      name: table,
      key: ['import_id'],
      columns: {
        import_id: 'uuid',
        name: 'text not null',
        requested_by: 'text not null',
        requested_at: 'timestamptz not null',
        status: 'text not null',
        added: 'integer not null default 0',
        revised: 'integer not null default 0',
        unchanged: 'integer not null default 0',
        rejected: 'integer not null default 0',
        ended_at: 'timestamptz',
        reason: 'text',
      },
      indexes: ['(requested_at desc)'],
    },
  ],
  fold: (events) => events.flatMap(changesOf),
});
