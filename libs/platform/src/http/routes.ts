import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  SerializeOptions,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { Problem } from '../contract.ts';
import type { RequestAccount } from './request-context.ts';

/** The schema of a route's answer that is sent as it is. */
export const trustedSchema = 'tapedeck:trusted-schema';

/**
 * A route's status, response schema and documentation in one; what the schema does not name is left out.
 * For a list give the schema of one item and `{ list: true }`. `{ trusted: true }` is for large answers that are
 * asked for often: they are sent unlooked at, and only `createTestApp` holds them to their schema.
 */
export const Returns = (
  status: number,
  schema: z.ZodType | undefined,
  options: { readonly list?: boolean; readonly description?: string; readonly trusted?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ...(schema && !options.trusted ? [SerializeOptions({ schema })] : []),
    ...(schema && options.trusted ? [SetMetadata(trustedSchema, schema)] : []),
    ApiResponse({
      status,
      description: options.description ?? '',
      isArray: options.list ?? false,
      ...(schema ? { standardSchema: schema } : {}),
    }),
    ApiResponse({ status: 'default', description: 'A problem (RFC 9457)', standardSchema: Problem }),
  );

export const publicRoute = 'tapedeck:public';

/** Open without a session; every other route answers 401 then. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(publicRoute, true);

export const readModelOfRoute = 'tapedeck:reads-from';

/** Read your own writes: the answer waits (at most 1 s) until this read model has reached the asked position. */
export const ReadsFrom = (readModel: string): MethodDecorator => SetMetadata(readModelOfRoute, readModel);

/** The signed-in account of the request. */
export const CurrentAccount = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestAccount => {
    const { account } = context.switchToHttp().getRequest<FastifyRequest>();
    if (account) return account;
    throw new DomainError('unauthenticated', 'SIGNED_OUT', 'You are signed out: sign in again.');
  },
);
