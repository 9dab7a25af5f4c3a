import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { SqlConsoleEvent } from './domain/console.ts';

import type { SavedStatementEvent } from './domain/saved-statements.ts';

export type * from './domain/console.ts';
export type { SavedStatementEvent };

export const sqlConsoleEvents = defineEvents<SqlConsoleEvent>({
  SqlRequested: { version: 1, personal: ['sql', 'ip', 'reason'], subject: 'personalSubject' },
  SqlCompleted: { version: 1 },
  SqlFailed: { version: 1, personal: ['message'], subject: 'personalSubject' },
  SqlChangesCommitted: { version: 1 },
});

export const savedStatementEvents = defineEvents<SavedStatementEvent>({
  StatementSaved: { version: 1, personal: ['name', 'sql'], subject: 'accountId' },
  StatementRenamed: { version: 1, personal: ['name'], subject: 'accountId' },
  StatementDeleted: { version: 1 },
});

export const savedStatementsStream = (account: AccountId): string => `savedStatements-${account}`;
export const sqlConsoleStream = (accountId: string): string => `sqlConsole-${accountId}`;
/** The key of one statement. */
export const statementSubject = (queryId: string): string => `sql:${queryId}`;
