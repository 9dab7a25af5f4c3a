import { HttpException, NotFoundException } from '@nestjs/common';
import { isTransientDatabaseError } from '@tapedeck/eventing/postgres';
import { DomainError, messageOf, type ErrorKind } from '@tapedeck/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../contract.ts';
import type { Logger } from '../log.ts';
import { logTrail, type TrailEvent } from './trail.ts';

const statusOf: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  unsupported: 415,
  unprocessable: 422,
  'too-many': 429,
  unavailable: 503,
};

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

/** The connection to the database was lost, it has no resources left, or it took too long: nothing is wrong here. */
const isDatabaseAway = (error: unknown): boolean =>
  isTransientDatabaseError(error) || (error as { code?: unknown } | null)?.code === '57014';

/** Of Fastify and Node.js. */
const isOfFramework = /^(?:FST_|ERR_|HPE_)/;
const maxShownLength = 200;
const shortened = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;

type Failure = Readonly<{ status: number; code: string; detail: string; errors?: Problem['errors'] }>;

const detailOf = (error: HttpException): string => {
  const body = error.getResponse();
  if (typeof body === 'string') return body;
  const { message } = body as { message?: string | string[] };
  return Array.isArray(message) ? message.join('; ') : (message ?? error.message);
};

/** Nest says `Cannot GET /api/nothing`. */
const noSuchRoute = (message: string): Failure => {
  const [method = '', address = ''] = message.replace(/^Cannot /, '').split(' ');
  return {
    status: 404,
    code: 'NO_SUCH_ROUTE',
    detail: `There is nothing at ${method} ${shortened(address)}.`,
  };
};

const codeOf = (status: number, code = ''): string =>
  code === '' || isOfFramework.test(code)
    ? (titles[status] ?? 'HTTP_ERROR').toUpperCase().replaceAll(' ', '_')
    : code;

const failureOf = (error: unknown): Failure => {
  if (error instanceof DomainError) {
    const errors = error.details['errors'] as Problem['errors'];
    return {
      status: statusOf[error.kind],
      code: error.code,
      detail: error.message,
      ...(errors ? { errors } : {}),
    };
  }
  if (error instanceof NotFoundException) return noSuchRoute(error.message);
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return { status, code: codeOf(status), detail: detailOf(error) };
  }
  if (isDatabaseAway(error)) {
    const detail = 'The database cannot be reached at the moment: try again shortly.';
    return { status: 503, code: 'DATABASE_UNAVAILABLE', detail };
  }
  // Fastify's own errors, such as a body that is not JSON or too large, have a status below 500.
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, code: codeOf(statusCode, code), detail: message ?? 'Bad request.' };
  }
  return { status: 500, code: 'INTERNAL_ERROR', detail: 'Something went wrong on our side: try again.' };
};

/** The body of the answer to a failed request (RFC 9457). */
export const problemOf = (error: unknown, requestId: string): Problem => {
  const { status, code, detail, errors } = failureOf(error);
  const title = titles[status] ?? (status === 500 ? 'Internal Server Error' : 'Error');
  return { type: 'about:blank', title, status, detail, code, requestId, ...(errors ? { errors } : {}) };
};

const problemType = 'application/problem+json; charset=utf-8';
const defaultRetryAfterSeconds = 5;

/** `retryAfterSeconds` among the details of an error: the request was refused to limit the load, and nothing is wrong. */
export const retryAfterOf = (error: unknown): number | undefined => {
  const seconds = error instanceof DomainError ? error.details['retryAfterSeconds'] : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
};

/** `isRepeated` among the details of an error: the trail has a line already for this client and this time. */
const isRepeatedRefusal = (error: unknown): boolean =>
  error instanceof DomainError && error.details['isRepeated'] === true;

/** Headers of an answer that no hook has been called for. */
export const bareHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'content-type': problemType,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  ...(https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
});

const logFailure = (error: unknown, problem: Problem, reply: FastifyReply, logger: Logger): void => {
  const { status, code, requestId } = problem;
  if (status < 500) return;
  if (status !== 503) return logger.error({ err: error, requestId }, 'request failed');
  // Without a connection there is no answer to report; the request log has a line of its own.
  if (retryAfterOf(error) !== undefined || reply.raw.destroyed) return;
  const cause = error instanceof DomainError ? error.details['cause'] : messageOf(error);
  logger.warn({ code, cause, requestId }, 'request answered with 503');
};

const trailEvents: Readonly<Record<number, TrailEvent>> = {
  403: 'authz_fail',
  429: 'excess_rate_limit_exceeded',
};

/** Answers a failed request. Unexpected errors are logged in full and answered in general words. */
export const answerProblem = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): void => {
  const problem = problemOf(error, request.id);
  const event = trailEvents[problem.status];
  if (event && !isRepeatedRefusal(error)) logTrail(logger, event, request, { code: problem.code });
  logFailure(error, problem, reply, logger);
  if (reply.sent) return;
  const retryAfter = retryAfterOf(error) ?? (problem.status === 503 ? defaultRetryAfterSeconds : undefined);
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  void reply
    .status(problem.status)
    .header('content-type', problemType)
    .header('cache-control', 'no-store')
    .send(problem);
};
