import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { isTransientDatabaseError } from '@tapedeck/eventing/postgres';
import { DomainError, messageOf, type ErrorKind } from '@tapedeck/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../contract.ts';
import type { Logger } from '../log.ts';
import { LOGGER } from '../tokens.ts';

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
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** The connection to the database was lost, it has no resources left, or it took too long: nothing is wrong here. */
const isDatabaseAway = (error: unknown): boolean =>
  isTransientDatabaseError(error) || (error as { code?: unknown } | null)?.code === '57014';

type Failure = Readonly<{ status: number; code: string; detail: string; errors?: Problem['errors'] }>;

const detailOf = (error: HttpException): string => {
  const body = error.getResponse();
  if (typeof body === 'string') return body;
  const { message } = body as { message?: string | string[] };
  return Array.isArray(message) ? message.join('; ') : (message ?? error.message);
};

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
  if (error instanceof HttpException) {
    const status = error.getStatus();
    const code = (titles[status] ?? 'HTTP_ERROR').toUpperCase().replaceAll(' ', '_');
    return { status, code, detail: detailOf(error) };
  }
  if (isDatabaseAway(error)) {
    const detail = 'The database cannot be reached at the moment: try again shortly.';
    return { status: 503, code: 'DATABASE_UNAVAILABLE', detail };
  }
  // Fastify's own errors, such as a body that is not JSON or too large, have a status below 500.
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, code: code ?? 'BAD_REQUEST', detail: message ?? 'Bad request.' };
  }
  return { status: 500, code: 'INTERNAL_ERROR', detail: 'Something went wrong on our side: try again.' };
};

/** The body of the answer to a failed request (RFC 9457). */
export const problemOf = (error: unknown, requestId: string): Problem => {
  const { status, code, detail, errors } = failureOf(error);
  const title = titles[status] ?? (status === 500 ? 'Internal Server Error' : 'Error');
  return { type: 'about:blank', title, status, detail, code, requestId, ...(errors ? { errors } : {}) };
};

const defaultRetryAfterSeconds = 5;

/** `retryAfterSeconds` among the details of an error: the request was refused to limit the load, and nothing is wrong. */
export const retryAfterOf = (error: unknown): number | undefined => {
  const seconds = error instanceof DomainError ? error.details['retryAfterSeconds'] : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
};

/** Turns every error into an HTTP answer. Unexpected errors are logged in full and answered in general words. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger: Logger;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const problem = problemOf(error, request.id);
    const isUnavailable = problem.status === 503;
    const retryAfterSeconds = retryAfterOf(error);
    // Without a connection there is no answer to report; the request log has a line of its own.
    if (isUnavailable && retryAfterSeconds === undefined && !reply.raw.destroyed) {
      const cause = error instanceof DomainError ? error.details['cause'] : messageOf(error);
      this.#logger.warn({ code: problem.code, cause, requestId: request.id }, 'request answered with 503');
    } else if (problem.status >= 500 && !isUnavailable) {
      this.#logger.error({ err: error, requestId: request.id }, 'request failed');
    }
    if (reply.sent) return;
    if (isUnavailable) {
      void reply.header('retry-after', String(retryAfterSeconds ?? defaultRetryAfterSeconds));
    }
    void reply
      .status(problem.status)
      .header('content-type', 'application/problem+json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(problem);
  }
}
