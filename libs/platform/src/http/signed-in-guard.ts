import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyRequest } from 'fastify';
import { publicRoute } from './routes.ts';

/** Closed by default: a route is open to visitors only when it says so. */
@Injectable()
export class SignedInGuard implements CanActivate {
  readonly #reflector: Reflector;

  constructor(reflector: Reflector) {
    this.#reflector = reflector;
  }

  canActivate(context: ExecutionContext): boolean {
    const open = this.#reflector.getAllAndOverride<boolean>(publicRoute, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (open || context.switchToHttp().getRequest<FastifyRequest>().account) return true;
    throw new DomainError('unauthenticated', 'SIGNED_OUT', 'You are signed out: sign in again.');
  }
}
