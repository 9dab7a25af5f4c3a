import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** Aborts when the connection closes before the answer is out; the same signal every time it is asked for. */
export const requestSignal = (context: ExecutionContext): AbortSignal => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const known = signals.get(request);
  if (known) return known;
  const { raw } = http.getResponse<FastifyReply>();
  const ending = new AbortController();
  // Of the response and not of the connection, which lives on with other requests.
  raw.once('close', () => {
    if (!raw.writableFinished) ending.abort();
  });
  if (request.raw.socket.destroyed) ending.abort();
  signals.set(request, ending.signal);
  return ending.signal;
};

/** The signal for the engine (`RequestOptions`): nobody waits for this answer any longer. */
export const RequestSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  requestSignal(context),
);
