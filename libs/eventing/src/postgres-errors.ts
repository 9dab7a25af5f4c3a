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
// The driver reports these without a code.
const lostConnection =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i;

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

/** A retry can succeed: lost connection, deadlock, serialisation failure, lack of resources, lock timeout. */
export const isTransient = (error: unknown): boolean =>
  isConnectionLoss(error) || /^(?:40|53|55P03)/.test(sqlStateOf(error) ?? '');

/** PostgreSQL refuses a value; a retry with the same value fails again. */
export const isDataError = (error: unknown): boolean => /^2[23]/.test(sqlStateOf(error) ?? '');
