import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** A signal that aborts when the connection closes before the answer is sent; the same one for each call. */
export const requestSignal = (context: ExecutionContext): AbortSignal => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const known = signals.get(request);
  if (known) return known;
  const { raw } = http.getResponse<FastifyReply>();
  const controller = new AbortController();
  // The event of the response: the connection may remain open for other requests.
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  if (request.raw.socket.destroyed) controller.abort();
  signals.set(request, controller.signal);
  return controller.signal;
};

/** `requestSignal` as a parameter of a route: its work can stop when the client has closed the connection. */
export const RequestSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  requestSignal(context),
);
