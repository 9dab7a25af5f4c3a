export type * from './domain/console.ts';
export type { SavedStatementEvent } from './domain/saved-statements.ts';
export { sqlConsoleEvents, sqlConsoleStream, statementSubject } from './domain/console.ts';
export { savedStatementEvents, savedStatementsStream } from './domain/saved-statements.ts';
