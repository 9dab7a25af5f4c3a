const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// The driver reports these without a code. Linear: fixed texts.
const lostConnection =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect|timeout expired|query read timeout/i;

/** The SQLSTATE of an error, if PostgreSQL reported it. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !networkCodes.has(code) ? code : undefined;
};

/** The connection was lost or could not be opened; what was sent may or may not have been executed. */
export const isConnectionLoss = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && lostConnection.test(error.message);
  return networkCodes.has(code) || /^(?:08|57P)/.test(code);
};

/** The server is a standby now, or was one: a new connection may reach the primary. */
export const hasChangedRole = (error: unknown): boolean => sqlStateOf(error) === '25006';

/** A retry can succeed: lost connection, deadlock, serialisation failure, lack of resources, lock timeout, standby. */
export const isTransient = (error: unknown): boolean =>
  isConnectionLoss(error) || /^(?:25006|40|53|55P03)/.test(sqlStateOf(error) ?? '');

/**
 * Classes of SQLSTATE that say nothing about the rows that were written: connection, read-only and other states of the
 * transaction, authorization, rollback and deadlock, missing tables and privileges, resources, locks, operator
 * intervention, files and configuration, damaged tables or indexes.
 */
const notAboutRows = /^(?:08|25|28|40|42|53|55|57|58|F0|XX001|XX002)/;

/**
 * PostgreSQL may refuse a row for good: a value, a constraint, a limit such as the size of an index entry, a trigger.
 * Errors of the connection and of the server are not among them.
 */
export const mayRefuseRow = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state !== undefined && !notAboutRows.test(state);
};
