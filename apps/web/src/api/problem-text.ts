import type { ApiError } from './request.ts';

const isApiError = (error: unknown): error is ApiError =>
  typeof error === 'object' && error !== null && 'status' in error && 'message' in error;

const tooManyRequestsText = (retryAfterSeconds: number | undefined): string => {
  const when = retryAfterSeconds === undefined ? 'in a moment' : `in ${retryAfterSeconds} s`;
  return `You have sent too many requests in a short time: try again ${when}.`;
};

/**
 * Why a request has failed, as a sentence for people: the server's own (the detail of its problem document) where there
 * is one. `fallback` says what did not happen.
 */
export const problemText = (error: unknown, fallback: string): string => {
  if (!isApiError(error)) return fallback;
  const { status, detail, retryAfterSeconds } = error;
  if (detail) return detail;
  if (status === 429) return tooManyRequestsText(retryAfterSeconds);
  if (status === 'network') return `The server cannot be reached. ${fallback}`;
  return fallback;
};
