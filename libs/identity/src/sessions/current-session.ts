import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { signedOut } from '@tapedeck/platform/http';
import type { FastifyRequest } from 'fastify';
import { sessionUser, type SessionUser } from './session-store.ts';

/** The session of a request, as a parameter of a route. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): SessionUser => {
  const user = sessionUser(context.switchToHttp().getRequest<FastifyRequest>().session);
  if (user) return user;
  throw signedOut();
});
