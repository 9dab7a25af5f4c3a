import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Injectable,
  SerializeOptions,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { Problem } from '../contract.ts';
import type { RequestAccount } from './request-context.ts';

/** Metadata: the schema of a trusted answer. */
export const trustedSchema = 'tapedeck:trusted-schema';

/**
 * A route's status, response schema and documentation. Fields that the schema does not name are removed.
 * For a list give the schema of one item and `{ list: true }`. `{ trusted: true }` is for large and frequent answers:
 * they are sent without a check against the schema; only `createTestApp` checks them.
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

/** Metadata: the name of the read model that a route reads. */
export const readModelOfRoute = 'tapedeck:reads-from';

/** Read your own writes: `ReadGate` waits until this read model has reached the position that the client sends. */
export const ReadsFrom = (readModel: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(readModelOfRoute, readModel),
    ApiHeader({
      name: 'Tape-Position',
      required: false,
      description:
        'The newest position that an earlier answer had. The answer contains what was written until then, or has the header Tape-Stale: true.',
      schema: { type: 'string', pattern: '^\\d{1,18}$' },
    }),
  );

const idempotencyKey = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description:
    'A new random text for each intention, the same one when its request is repeated because the outcome is unknown. A change that was made already is not made again. Counts for one account and one call; with other content the answer is 422 IDEMPOTENCY_KEY_REUSED. Visitors cannot send it: 400 IDEMPOTENCY_KEY_WITHOUT_ACCOUNT.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-+\\--~]+$' },
});

const expectedAccount = ApiHeader({
  name: 'Expected-Account',
  required: false,
  description:
    'The id of the account that the sender means. When the session is of another account, nothing is changed and the answer is 409 OTHER_ACCOUNT; without a session it is 401. Every request that changes something can have it.',
  schema: { type: 'string' },
});

/** Documents the headers of a route that sends commands; `requestCommandContext` and the identity module read them. */
export const SendsCommands = (): MethodDecorator => applyDecorators(idempotencyKey, expectedAccount);

const publicRoute = 'tapedeck:public';

/** Opens a route to visitors; without it `SignedInGuard` answers 401 to them. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(publicRoute, true);

const rolesOfRoute = 'tapedeck:roles';

/** What an account may do beyond a member's rights. */
export type RequestRole = 'support' | 'admin';

/** Opens a route only to accounts that have one of these roles; without it, a role makes no difference. */
export const Roles = (...roles: readonly [RequestRole, ...RequestRole[]]): MethodDecorator & ClassDecorator =>
  SetMetadata(rolesOfRoute, roles);

const roleRequired = (roles: readonly RequestRole[]): DomainError =>
  new DomainError(
    'forbidden',
    'ROLE_REQUIRED',
    `This is only for accounts with the role ${roles.join(' or ')}: ask an admin for it, then sign in again.`,
  );

/** The error for a request without a session that needs one. */
export const signedOut = (): DomainError =>
  new DomainError('unauthenticated', 'SIGNED_OUT', 'You are signed out: sign in again.');

/** The account of a request, as a parameter of a route. */
export const CurrentAccount = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestAccount => {
    const { account } = context.switchToHttp().getRequest<FastifyRequest>();
    if (account) return account;
    throw signedOut();
  },
);

/** Closes every route to visitors unless it is `@Public()`, and those with `@Roles(…)` to everybody without the role. */
@Injectable()
export class SignedInGuard implements CanActivate {
  readonly #reflector: Reflector;

  constructor(reflector: Reflector) {
    this.#reflector = reflector;
  }

  canActivate(context: ExecutionContext): boolean {
    const { account } = context.switchToHttp().getRequest<FastifyRequest>();
    const targets = [context.getHandler(), context.getClass()];
    const roles = this.#reflector.getAllAndOverride<readonly RequestRole[] | undefined>(
      rolesOfRoute,
      targets,
    );
    // Where both are set, by mistake, the route is closed.
    const isPublic = !roles && this.#reflector.getAllAndOverride<boolean>(publicRoute, targets);
    if (isPublic) return true;
    if (!account) throw signedOut();
    if (roles && !roles.some((role) => account.roles.includes(role))) throw roleRequired(roles);
    return true;
  }
}
