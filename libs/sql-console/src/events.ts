import type { EventTypeDefinition } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { SqlConsoleEvent } from './domain/console.ts';

import type { SavedStatementEvent } from './domain/saved-statements.ts';

export type * from './domain/console.ts';
export type { SavedStatementEvent };

export const sqlConsoleEvents = {
  SqlRequested: { version: 1, personal: ['sql', 'ip', 'reason'], subject: 'personalSubject' },
  SqlCompleted: { version: 1 },
  SqlFailed: { version: 1, personal: ['message'], subject: 'personalSubject' },
  SqlChangesCommitted: { version: 1 },
} satisfies Record<SqlConsoleEvent['type'], EventTypeDefinition>;

export const savedStatementEvents = {
  StatementSaved: { version: 1, personal: ['name', 'sql'], subject: 'accountId' },
  StatementRenamed: { version: 1, personal: ['name'], subject: 'accountId' },
  StatementDeleted: { version: 1 },
} satisfies Record<SavedStatementEvent['type'], EventTypeDefinition>;

export const savedStatementsStream = (account: AccountId): string => `savedStatements-${account}`;
export const sqlConsoleStream = (accountId: string): string => `sqlConsole-${accountId}`;
/** The key of one statement. */
export const statementSubject = (queryId: string): string => `sql:${queryId}`;
