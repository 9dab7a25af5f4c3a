import { AsyncLocalStorage } from 'node:async_hooks';
import { commandContext, type Actor, type CommandContext, type Position } from '@tapedeck/eventing';
import {
  commandId,
  derivedId,
  timeOrderedId,
  DomainError,
  newId,
  type AccountId,
  type Clock,
  type CommandId,
} from '@tapedeck/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The signed-in account; set by the identity module's session hook, absent for a visitor. */
export type RequestAccount = Readonly<{
  id: AccountId;
  roles: readonly string[];
  email?: string;
  session?: Readonly<{
    /** Names it, and opens nothing. */
    publicId: string;
    signedInAt: number;
  }>;
}>;

/** Returns the address that the sign-in provider has verified; null when there is none. */
export type VerifiedEmail = (account: AccountId) => Promise<string | null>;

/** What accounts may use at this instant, by feature, such as `csvExport`. */
export type MemberFeatures = Readonly<{
  /** At once, without a query, where the account's membership makes no difference. */
  has: (account: RequestAccount, feature: string) => boolean | Promise<boolean>;
  /** The error for an account without the feature; it names the plans that have it. */
  missing: (feature: string) => DomainError;
}>;

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
  /** The id of the request's commands when it has no Idempotency-Key. */
  readonly commandId: () => CommandId;
  /** The commands that the request has sent: id and stream. */
  readonly sent: Set<string>;
  /** Set when the read model had not reached the requested position in time (docs/product-decisions.md#reading-your-own-writes). */
  stale: boolean;
};

const storage = new AsyncLocalStorage<RequestContext>();

export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Creates a context for each request and writes its results into the headers of the answer. */
export const registerRequestContext = (fastify: FastifyInstance, clock: Clock): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('request-id', request.id);
    let id: CommandId | undefined;
    const commands = { commandId: () => (id ??= commandId(newId())), sent: new Set<string>() };
    storage.run({ request, clock, ...commands, written: 0n, stale: false }, done);
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

/**
 * The header Idempotency-Key. Node.js joins the values of a repeated header by a comma, so a key contains none.
 * @throws DomainError BAD_IDEMPOTENCY_KEY
 */
const idempotencyKeyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= maxKeyLength && /^[!-+\--~]+$/.test(key)) return key;
  throw new DomainError(
    'invalid',
    'BAD_IDEMPOTENCY_KEY',
    `The header Idempotency-Key must be one text of 1 to ${maxKeyLength} visible ASCII characters without a comma.`,
  );
};

const visitor: Actor = { id: 'visitor', kind: 'visitor' };

/** Who sends a request. */
export const actorOf = (account: RequestAccount | undefined): Actor => {
  if (!account) return visitor;
  const kind = ['admin', 'support'].find((role) => account.roles.includes(role)) ?? 'member';
  return { id: account.id, kind };
};

type RequestIdentity = Readonly<{ commandId: CommandId; contentHash?: string }>;

/**
 * The same Idempotency-Key of the same actor for the same call gives the same command id; without a key each request is
 * new.
 * @throws DomainError BAD_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_WITHOUT_ACCOUNT
 */
const identityOf = ({ request, ...current }: RequestContext, actor: Actor): RequestIdentity => {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return { commandId: current.commandId() };
  if (actor.id === visitor.id) {
    throw new DomainError(
      'invalid',
      'IDEMPOTENCY_KEY_WITHOUT_ACCOUNT',
      'Visitors cannot be distinguished, so they cannot send an Idempotency-Key: sign in, or omit the header.',
    );
  }
  return {
    commandId: commandId(timeOrderedId(key, 'request', actor.id, request.method, request.url)),
    // The key is part of the hash, so that nobody can find the content by trying out bodies.
    contentHash: derivedId('content', key, JSON.stringify(request.body ?? null)),
  };
};

const assertSentOnce = ({ sent }: RequestContext, id: CommandId, stream: string): void => {
  const command = `${id} ${stream}`;
  if (sent.has(command)) {
    throw new Error(
      `This request sends two commands to ${stream}: give the second one a name, its \`part\`.`,
    );
  }
  sent.add(command);
};

export type RequestCommandOptions = Readonly<{
  /** The account of the request by default. Its id must identify the sender, whose Idempotency-Key counts. */
  actor?: Actor;
  /** The name of this command among those that the request sends to one stream; the first one needs none. */
  part?: string;
}>;

/**
 * The context of a command that the current request sends: its actor, and ids from its Idempotency-Key and its request
 * id. The answer contains the tape position of the command's result.
 * @throws DomainError BAD_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_WITHOUT_ACCOUNT
 */
export const requestCommandContext = (options: RequestCommandOptions = {}): CommandContext => {
  const current = storage.getStore();
  if (!current) throw new Error('There is no request here: use commandContext of eventing.');
  const { actor = actorOf(current.request.account), part } = options;
  const { commandId: ofRequest, ...content } = identityOf(current, actor);
  const id = part === undefined ? ofRequest : commandId(timeOrderedId(ofRequest, part));
  return commandContext({
    actor,
    clock: current.clock,
    commandId: id,
    ...content,
    correlationId: current.request.id,
    onStream: (stream) => assertSentOnce(current, id, stream),
    onPosition: (position) => {
      if (position > current.written) current.written = position;
    },
  });
};
