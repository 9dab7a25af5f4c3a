import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '../log.ts';
import { httpDuration } from '../metrics.ts';
import { Admissions, applyAdmissions } from './admission.ts';
import { isDraining } from './drain.ts';
import { bareHeaders, problemOf, retryAfterOf } from './problems.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const logIntervalMs = 5_000;

/** Logs at intervals how many requests were refused: a line for each would cost more than the refusal. */
const refusalLog = (logger: Logger): (() => void) => {
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    refused++;
    timer ??= setTimeout(() => {
      logger.warn({ refused, seconds: logIntervalMs / 1_000 }, 'requests were refused to limit the load');
      refused = 0;
      timer = undefined;
    }, logIntervalMs).unref();
  };
};

/**
 * Refuses requests that `@Admitted` routes would refuse before Fastify gets them, at a fraction of the cost: with
 * thousands of them a second little time would be left for answers.
 */
export const refuseEarly = (app: NestFastifyApplication, logger: Logger, https: boolean): void => {
  const fastify = app.getHttpAdapter().getInstance();
  const refusalOf = applyAdmissions(fastify, app.get(Admissions));
  const logRefusal = refusalLog(logger);
  const headers = bareHeaders(https);
  const { server } = fastify;
  const handlers = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const refusal = refusalOf(request);
    if (!refusal) {
      for (const handle of handlers) handle.call(server, request, response);
      return;
    }
    const requestId = randomUUID();
    const problem = problemOf(refusal.error, requestId);
    response.writeHead(problem.status, {
      ...headers,
      'request-id': requestId,
      'retry-after': String(retryAfterOf(refusal.error) ?? 1),
      ...(isDraining(server) ? { connection: 'close' } : {}),
    });
    response.end(JSON.stringify(problem));
    httpDuration.observe(
      { method: request.method ?? 'GET', route: refusal.path, status: String(problem.status) },
      0,
    );
    logRefusal();
  });
};
