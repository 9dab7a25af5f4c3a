import type { Problem } from '../ui/inline-error.tsx';
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

/** A refusal whose sentence says why; anything else is a fault that support may have to find. */
const isNamed = ({ status, detail }: ApiError): boolean =>
  status === 'network' || (typeof status === 'number' && status < 500 && Boolean(detail));

const maxMessageLength = 2_000;
const shortened = (text: string): string =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;

/** Status, id of the request and text of the answer of a failed request; null where the sentence for people says it all. */
export const detailsOf = (error: unknown): string | null => {
  if (!isApiError(error) || isNamed(error)) return null;
  const { status, title, requestId, message } = error;
  return [
    `Status: ${[status, title].filter(Boolean).join(' ')}`,
    ...(requestId ? [`Request: ${requestId}`] : []),
    shortened(message),
  ].join('\n');
};

/** Why a request has failed, with what support needs to find the error. */
export const problemOf = (error: unknown, fallback: string): Problem => ({
  text: problemText(error, fallback),
  details: detailsOf(error),
});

/** The same of a mutation that may have failed. */
export const failureOf = (error: unknown, fallback: string): Problem | null =>
  error === undefined ? null : problemOf(error, fallback);
