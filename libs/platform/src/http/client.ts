import type { IncomingMessage } from 'node:http';
import { normalizeIP } from '@fastify/rate-limit';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Returns the id of a session that cannot be made up, undefined for a visitor. */
export type SessionOf = (request: IncomingMessage) => string | undefined;

export const sessionClient = (session: string): string => `session ${session}`;

const known = new WeakMap<FastifyRequest, string>();

/**
 * Whose request it is: the session, else the address behind the trusted proxies. One client has a whole IPv6 network of
 * /64 to itself.
 */
export const clientOf = (request: FastifyRequest, sessionOf: SessionOf): string => {
  const found = known.get(request);
  if (found !== undefined) return found;
  const session = sessionOf(request.raw);
  const client = session === undefined ? `address ${normalizeIP(request.ip)}` : sessionClient(session);
  known.set(request, client);
  return client;
};

/** The client of a request, as a parameter of a route. */
export const RequestClient = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return clientOf(request, () => undefined);
});
