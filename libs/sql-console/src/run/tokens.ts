import type { Execute } from './execute.ts';
import type { ConsoleParts } from './run-statement.ts';

/** The console of this process. */
export type SqlConsoleService = Readonly<{ parts: ConsoleParts; execute: Execute }>;

export const SQL_CONSOLE = Symbol('SQL_CONSOLE');
