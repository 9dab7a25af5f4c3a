import * as z from 'zod';
import { maxStatementNameLength } from './domain/saved-limits.ts';

export { maxStatementNameLength };

export const sqlConsoleRoutes = {
  execute: '/api/admin/execute-sql',
  commit: '/api/admin/sql/commit',
  plan: '/api/admin/sql/plan',
  cancel: (queryId: string) => `/api/admin/sql/${queryId}/cancel`,
  history: '/api/admin/sql/history',
  schema: '/api/admin/sql/schema',
  saved: '/api/admin/sql/saved',
  savedStatement: (id: string) => `/api/admin/sql/saved/${id}`,
} as const;

export const sqlLimits = {
  /** Of the statement, as UTF-8. */
  statementBytes: 64 * 1024,
  rows: 1_000,
  answerBytes: 8 * 1024 * 1024,
  changedRows: 10_000,
  /** A change is committed by somebody who has signed in within this time. */
  signedInWithinMs: 10 * 60_000,
  historyEntries: 50,
  reasonLength: 500,
} as const;

export const emptyQueryText = 'No SQL Query: Please enter a SQL query to execute';

const isStorable = (text: string): boolean => !/\p{Cs}/u.test(text) && !text.includes('\0');

const sqlQuery = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => text !== '', emptyQueryText)
  .refine(
    (text) => new TextEncoder().encode(text).length <= sqlLimits.statementBytes,
    'The statement is longer than 64 KB: shorten it.',
  )
  .refine(isStorable, 'The statement contains U+0000 or half a surrogate pair: remove it.');

/** The client may choose the id, so that it can cancel the query while it runs. */
export const ExecuteSqlBody = z.object({ sqlQuery, queryId: z.uuid().optional() });
export type ExecuteSqlBody = z.infer<typeof ExecuteSqlBody>;

export const CommitSqlBody = z.object({
  sqlQuery,
  queryId: z.uuid().optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be the sha256 that the first answer contains'),
  rowCount: z.int().min(0),
  reason: z.string().trim().min(3).max(sqlLimits.reasonLength).refine(isStorable, 'must be plain text'),
});
export type CommitSqlBody = z.infer<typeof CommitSqlBody>;

export const SqlError = z.object({
  sqlState: z.string(),
  message: z.string(),
  /** Of the character in the statement, from 1; null where the error concerns all of it. */
  position: z.int().nullable(),
});
export type SqlError = z.infer<typeof SqlError>;

/** `changes`: rolled back. `committed`: on the tape; the catalogue shows it in a moment. */
export const SqlKind = z.enum(['rows', 'changes', 'committed', 'plan']);
export type SqlKind = z.infer<typeof SqlKind>;

export const SqlAnswer = z.object({
  queryId: z.uuid(),
  success: z.boolean(),
  kind: SqlKind,
  /** Rows returned, or rows that change. */
  rowCount: z.int(),
  columns: z.array(z.string()),
  /** Values as PostgreSQL writes them; null is NULL. */
  rows: z.array(z.array(z.string().nullable())),
  /** There are more rows than these. */
  truncated: z.boolean(),
  /** Of the statement: confirms a change. */
  sha256: z.string(),
  error: SqlError.nullable(),
  executedAt: z.iso.datetime(),
  milliseconds: z.int(),
});
export type SqlAnswer = z.infer<typeof SqlAnswer>;

export const SqlHistoryEntry = z.object({
  queryId: z.uuid(),
  /** Null once it was forgotten. */
  sqlQuery: z.string().nullable(),
  kind: SqlKind,
  /** Of a change that was confirmed. */
  reason: z.string().nullable(),
  requestedAt: z.iso.datetime(),
  outcome: z.enum(['running', 'completed', 'failed']),
  rowCount: z.int().nullable(),
  milliseconds: z.int().nullable(),
  sqlState: z.string().nullable(),
});
export type SqlHistoryEntry = z.infer<typeof SqlHistoryEntry>;

export const SqlHistory = z.object({ entries: z.array(SqlHistoryEntry) });
export type SqlHistory = z.infer<typeof SqlHistory>;

/** What the console's role may read. */
export const SqlSchema = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      /** `type` as PostgreSQL writes it, such as `timestamp with time zone`. */
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
    }),
  ),
});
export type SqlSchema = z.infer<typeof SqlSchema>;

const StatementName = z
  .string()
  .transform((text) =>
    text
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  )
  .refine((text) => text !== '', 'must not be empty')
  .refine(
    (text) => text.length <= maxStatementNameLength,
    `is longer than ${maxStatementNameLength} characters`,
  )
  .refine(isStorable, 'must be plain text');

export const SaveStatementBody = z.object({ name: StatementName, sqlQuery });
export type SaveStatementBody = z.infer<typeof SaveStatementBody>;
export const RenameStatementBody = z.object({ name: StatementName });
export type RenameStatementBody = z.infer<typeof RenameStatementBody>;

export const SavedStatementId = z.object({ id: z.uuid() });
export type SavedStatementId = z.infer<typeof SavedStatementId>;

export const SavedStatement = z.object({
  id: z.uuid(),
  name: z.string(),
  sqlQuery: z.string(),
  savedAt: z.iso.datetime(),
});
export type SavedStatement = z.infer<typeof SavedStatement>;
export const SavedStatementList = z.array(SavedStatement);
export type SavedStatementList = z.infer<typeof SavedStatementList>;

/** The addresses of its screens. */
export const sqlConsoleScreens = ['/admin/sql'] as const;
