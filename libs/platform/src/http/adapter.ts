import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DomainError } from '@tapedeck/kernel';
import type {
  FastifyError,
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Logger } from '../log.ts';
import { answerProblem, bareHeaders, problemOf } from './problems.ts';

type AdapterOptions = FastifyHttpOptions<Server> &
  Readonly<{ problems: Readonly<{ logger: Logger; https: boolean }> }>;

/** What Node.js refuses before it is a request. */
const statusOfSocketError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** The client has left, or sends more although its last request was answered. */
const isOver = new Set(['ECONNRESET', 'HPE_CLOSED_CONNECTION']);

const detailOfStatus: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP: check how it is sent.',
  408: 'The request took too long to arrive: send it again.',
  431: 'The headers of the request are too large: send fewer or shorter ones.',
};

const answerOnSocket = (
  socket: Socket,
  error: Readonly<{ code?: string }>,
  { logger, https }: AdapterOptions['problems'],
): void => {
  if (isOver.has(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const statusCode = statusOfSocketError[error.code ?? ''] ?? 400;
  const requestId = randomUUID();
  const problem = problemOf({ statusCode, message: detailOfStatus[statusCode] }, requestId);
  const body = JSON.stringify(problem);
  const headers = {
    ...bareHeaders(https),
    'request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines, '', body].join('\r\n'));
  logger.info({ requestId, status: statusCode, cause: error.code }, 'request');
};

const badAddress = ({ statusCode }: FastifyError): DomainError =>
  new DomainError('invalid', 'BAD_REQUEST', 'The address is not valid: check its percent signs.', {
    statusCode,
  });

/**
 * Nest's adapter for Fastify, on which every error is answered as a problem: also those that occur before a route is
 * found, and in routes that modules register with Fastify itself.
 */
export class HttpAdapter extends FastifyAdapter {
  constructor({ problems, ...options }: AdapterOptions) {
    const { logger, https } = problems;
    super({
      ...options,
      // No hook has been called for these.
      frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        void reply.headers({ ...bareHeaders(https), 'request-id': request.id });
        answerProblem(error.statusCode === 400 ? badAddress(error) : error, request, reply, logger);
        logger.info({ requestId: request.id, method: request.method, status: reply.statusCode }, 'request');
      },
      clientErrorHandler: (error, socket) => answerOnSocket(socket, error, problems),
    });
    this.getInstance<FastifyInstance>().setErrorHandler<FastifyError>((error, request, reply) =>
      answerProblem(error, request, reply, logger),
    );
  }

  /** Nest's handler would not be that of routes that were registered before. */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
}
