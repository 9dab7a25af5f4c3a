/** `accountId`: of the page; null for a visitor, undefined while it is not known. */
export const mutationHeaders = (key: string, accountId: string | null | undefined): Headers => {
  const headers = new Headers({ 'idempotency-key': key });
  if (typeof accountId === 'string') headers.set('expected-account', accountId);
  return headers;
};
