import type { EventTypeDefinition } from '@tapedeck/eventing';
import type { SqlConsoleEvent } from './domain/console.ts';

export type * from './domain/console.ts';

export const sqlConsoleEvents = {
  SqlRequested: { version: 1, personal: ['sql', 'ip'], subject: 'personalSubject' },
  SqlCompleted: { version: 1 },
  SqlFailed: { version: 1, personal: ['message'], subject: 'personalSubject' },
  SqlChangesCommitted: { version: 1 },
} satisfies Record<SqlConsoleEvent['type'], EventTypeDefinition>;

export const sqlConsoleStream = (accountId: string): string => `sqlConsole-${accountId}`;
/** The key of one statement. */
export const statementSubject = (queryId: string): string => `sql:${queryId}`;
