import { deepStrictEqual } from 'node:assert';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import type * as z from 'zod';
import { trustedSchema } from '../http/routes.ts';

/** Fails a request whose trusted answer differs from what its schema would return. */
@Injectable()
export class TrustedAnswers implements NestInterceptor {
  readonly #reflector: Reflector;

  constructor(reflector: Reflector) {
    this.#reflector = reflector;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const schema = this.#reflector.get<z.ZodType | undefined>(trustedSchema, context.getHandler());
    if (!schema) return next.handle();
    return next.handle().pipe(
      map((answer: unknown) => {
        const sent: unknown = JSON.parse(JSON.stringify(answer));
        deepStrictEqual(
          sent,
          schema.parse(sent),
          'A trusted answer has a field that its schema does not name.',
        );
        return answer;
      }),
    );
  }
}
