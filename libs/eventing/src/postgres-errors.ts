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
// The driver gives these without a code.
const lostConnection =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i;

/** The SQLSTATE of an error that PostgreSQL has answered with. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !networkCodes.has(code) ? code : undefined;
};

/** The connection is gone or could not be made: what was sent may or may not have happened. */
export const isConnectionLoss = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && lostConnection.test(error.message);
  return networkCodes.has(code) || /^(?:08|57P)/.test(code);
};

/** Trying the same again later can succeed: lost connections, deadlocks, serialisation, lack of resources, locks. */
export const isTransient = (error: unknown): boolean =>
  isConnectionLoss(error) || /^(?:40|53|55P03)/.test(sqlStateOf(error) ?? '');

/** PostgreSQL refuses the value itself; the same value is refused again. */
export const isDataError = (error: unknown): boolean => /^2[23]/.test(sqlStateOf(error) ?? '');
