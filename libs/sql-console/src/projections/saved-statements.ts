import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import { savedStatementEvents, type SavedStatementEvent } from '../domain/saved-statements.ts';

export type SavedStatementRow = Readonly<{
  id: string;
  name: Sealed<string>;
  sql: Sealed<string>;
  saved_at: Date;
}>;

const changeOf = (event: RecordedEvent<SealedEvent<SavedStatementEvent>>): RowChange => {
  const { accountId, statementId } = event.data;
  const at = { table: 'saved_sql_statements', key: { account_id: accountId, id: statementId } } as const;
  switch (event.type) {
    case 'StatementSaved': {
      const { name, sql } = event.data;
      return { op: 'put', ...at, row: { name, sql, saved_at: event.metadata.occurredAt } };
    }
    case 'StatementRenamed':
      return { op: 'patch', ...at, row: { name: event.data.name } };
    case 'StatementDeleted':
      return { op: 'remove', ...at };
    default:
      return event satisfies never;
  }
};

/** What each admin has saved for the SQL console. */
export const savedStatements = defineProjection<SavedStatementEvent>({
  name: 'saved_sql_statements',
  version: 1,
  database: 'tapedeck',
  types: savedStatementEvents,
  tables: [
    {
      name: 'saved_sql_statements',
      key: ['account_id', 'id'],
      columns: {
        account_id: 'uuid not null',
        id: 'uuid not null',
        name: 'text not null',
        sql: 'text not null',
        saved_at: 'timestamptz not null',
      },
    },
  ],
  fold: (events) => events.map(changeOf),
});
