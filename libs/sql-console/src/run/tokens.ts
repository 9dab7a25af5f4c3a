import type { Execute } from './execute.ts';
import type { NewestStatements } from './newest-statements.ts';
import type { ConsoleParts } from './run-statement.ts';

/** The console of this process. */
export type SqlConsoleService = Readonly<{ parts: ConsoleParts; execute: Execute; newest: NewestStatements }>;

export const SQL_CONSOLE = Symbol('SQL_CONSOLE');
