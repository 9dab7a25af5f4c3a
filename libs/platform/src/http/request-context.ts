import { AsyncLocalStorage } from 'node:async_hooks';
import type { Position } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Who asks; set by the identity room's session hook, absent for a visitor. */
export type RequestAccount = Readonly<{ id: AccountId; roles: readonly string[]; email?: string }>;

/** The address that the sign-in provider vouches for; null when there is none. */
export type VerifiedEmail = (account: AccountId) => Promise<string | null>;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyRequest {
    account?: RequestAccount;
  }
}

/** What one request carries through the rooms. */
export type RequestContext = {
  readonly request: FastifyRequest;
  /** Newest place on the tape that this request has written, sent as `Tape-Position`. */
  written: Position;
  /** Set when the read model had not reached the asked position in time (D39). */
  stale: boolean;
};

const storage = new AsyncLocalStorage<RequestContext>();

export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Opens a context for every request and writes its outcome into the response's headers. */
export const registerRequestContext = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('request-id', request.id);
    storage.run({ request, written: 0n, stale: false }, done);
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const context = storage.getStore();
    if (context && context.written > 0n) void reply.header('tape-position', context.written.toString());
    if (context?.stale) void reply.header('tape-stale', 'true');
    done(null, payload);
  });
};

/** The position the client has seen (`Tape-Position` of an earlier answer); 0n when absent or not a number. */
export const askedPosition = (request: FastifyRequest): Position => {
  const header = request.headers['tape-position'];
  return typeof header === 'string' && /^\d{1,18}$/.test(header) ? BigInt(header) : 0n;
};
