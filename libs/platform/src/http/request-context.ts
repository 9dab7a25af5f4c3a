import { AsyncLocalStorage } from 'node:async_hooks';
import { commandContext, type Actor, type CommandContext, type Position } from '@tapedeck/eventing';
import {
  commandId,
  derivedId,
  DomainError,
  newId,
  type AccountId,
  type Clock,
  type CommandId,
} from '@tapedeck/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The signed-in account; set by the identity module's session hook, absent for a visitor. */
export type RequestAccount = Readonly<{ id: AccountId; roles: readonly string[]; email?: string }>;

/** Returns the address that the sign-in provider has verified; null when there is none. */
export type VerifiedEmail = (account: AccountId) => Promise<string | null>;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyRequest {
    account?: RequestAccount;
  }
}

/** Data of one request, available to all code that runs for it. */
export type RequestContext = {
  readonly request: FastifyRequest;
  readonly clock: Clock;
  /** The newest tape position that this request has written, sent as `Tape-Position`; 0n for none. */
  written: Position;
  /** Set when the read model had not reached the requested position in time (D39). */
  stale: boolean;
};

const storage = new AsyncLocalStorage<RequestContext>();

export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Creates a context for each request and writes its results into the headers of the answer. */
export const registerRequestContext = (fastify: FastifyInstance, clock: Clock): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('request-id', request.id);
    storage.run({ request, clock, written: 0n, stale: false }, done);
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const context = storage.getStore();
    if (context && context.written > 0n) void reply.header('tape-position', context.written.toString());
    if (context?.stale) void reply.header('tape-stale', 'true');
    done(null, payload);
  });
};

/** The newest position that the client has seen in an earlier answer; 0n when absent or not a number. */
export const requestedPosition = (request: FastifyRequest): Position => {
  const header = request.headers['tape-position'];
  return typeof header === 'string' && /^\d{1,18}$/.test(header) ? BigInt(header) : 0n;
};

const maxKeyLength = 200;

/** The same Idempotency-Key of the same account gives the same command id; without a key each request is new. */
const commandIdOf = (request: FastifyRequest): CommandId => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return commandId(newId());
  if (typeof key !== 'string' || key.length === 0 || key.length > maxKeyLength) {
    throw new DomainError(
      'invalid',
      'BAD_IDEMPOTENCY_KEY',
      `The header Idempotency-Key must be one text of 1 to ${maxKeyLength} characters.`,
    );
  }
  return commandId(derivedId('request', request.account?.id ?? 'visitor', request.method, request.url, key));
};

const actorOf = (account: RequestAccount | undefined): Actor => {
  if (!account) return { id: 'visitor', kind: 'visitor' };
  const kind = ['admin', 'support'].find((role) => account.roles.includes(role)) ?? 'member';
  return { id: account.id, kind };
};

/**
 * The context of a command that the current request sends: its actor, and ids from its Idempotency-Key and its request
 * id. The answer contains the tape position of the command's result.
 * @throws DomainError BAD_IDEMPOTENCY_KEY
 */
export const requestCommandContext = (actor?: Actor): CommandContext => {
  const current = storage.getStore();
  if (!current) throw new Error('There is no request here: use commandContext of eventing.');
  const { request, clock } = current;
  return commandContext({
    actor: actor ?? actorOf(request.account),
    clock,
    commandId: commandIdOf(request),
    correlationId: request.id,
    onPosition: (position) => {
      if (position > current.written) current.written = position;
    },
  });
};
