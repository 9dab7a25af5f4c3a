import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Position } from '@tapedeck/eventing';
import type { FastifyRequest } from 'fastify';
import { from, switchMap, type Observable } from 'rxjs';
import { currentRequest, requestedPosition } from './request-context.ts';
import { readModelOfRoute } from './routes.ts';

/** Resolves to true once the read model has reached `position`, to false after `timeoutMs`. */
export type WaitForPosition = (position: Position, timeoutMs: number) => Promise<boolean>;

/** How long a read waits for the caller's own writes (docs/product-decisions.md#reading-your-own-writes). */
export const readYourWritesTimeoutMs = 1_000;

/** How many reads of a process wait at once; further ones are answered as stale, whatever position they send. */
export const maxWaitingReads = 1_000;

/** The read models by name, each with a function that waits for it. */
@Injectable()
export class ReadModels {
  readonly #waits = new Map<string, WaitForPosition>();
  #waiting = 0;

  register(name: string, wait: WaitForPosition): void {
    this.#waits.set(name, wait);
  }

  async reached(name: string, position: Position): Promise<boolean> {
    const wait = this.#waits.get(name);
    if (!wait) throw new Error(`No read model is registered under the name "${name}".`);
    if (this.#waiting >= maxWaitingReads) return false;
    this.#waiting++;
    try {
      return await wait(position, readYourWritesTimeoutMs);
    } finally {
      this.#waiting--;
    }
  }
}

/** Delays routes with `@ReadsFrom` until their read model has reached the position that the client sends. */
@Injectable()
export class ReadGate implements NestInterceptor {
  readonly #reflector: Reflector;
  readonly #readModels: ReadModels;

  constructor(reflector: Reflector, readModels: ReadModels) {
    this.#reflector = reflector;
    this.#readModels = readModels;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const name = this.#reflector.get<string | undefined>(readModelOfRoute, context.getHandler());
    const position = requestedPosition(context.switchToHttp().getRequest<FastifyRequest>());
    if (name === undefined || position === 0n) return next.handle();
    return from(this.#wait(name, position)).pipe(switchMap(() => next.handle()));
  }

  async #wait(name: string, position: Position): Promise<void> {
    const reached = await this.#readModels.reached(name, position);
    const request = currentRequest();
    if (request && !reached) request.stale = true;
  }
}
