import fastifyCookie, { Signer } from '@fastify/cookie';
import fastifySession from '@fastify/session';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import {
  createSharedCounts,
  registerAdmission,
  registerDatabaseShares,
  limitsIn,
  registerRateLimits,
  type SessionOf,
  type SharedCounts,
} from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import type { FastifyInstance } from 'fastify';
import { sessionCookie } from './session-cookie.ts';
import { createSessionStore, maxSessionSeconds, pruneSessions, sessionUser } from './session-store.ts';
import type { IdentityConfig } from '../settings.ts';

export type SessionOptions = Readonly<{
  config: IdentityConfig;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const pruneIntervalMs = 60 * 60 * 1_000;

const pruneRegularly = (fastify: FastifyInstance, { databases, clock }: SessionOptions): void => {
  // A failure is retried at the next interval; until then an expired row is only unused space.
  const prune = (): void => void pruneSessions(databases.tapedeck, clock).catch(() => undefined);
  const timer = setInterval(prune, pruneIntervalMs).unref();
  fastify.addHook('onClose', async () => clearInterval(timer));
  fastify.addHook('onListen', async () => prune());
};

/** Undefined where each process counts for itself. */
const sharedCounts = (
  fastify: FastifyInstance,
  { config, databases, logger }: SessionOptions,
): SharedCounts | undefined => {
  if (config.RATE_LIMIT_STORE === 'memory') return undefined;
  const counts = createSharedCounts({
    pool: databases.tapedeck,
    secret: config.SESSION_SECRET,
    onError: (error) => logger.warn({ err: error }, 'rate limits are not shared with the other processes'),
  });
  fastify.addHook('onClose', counts.close);
  return counts;
};

/** Looks up the session of every API request and sets `request.account` when somebody is signed in. */
export const registerSessions = async (fastify: FastifyInstance, options: SessionOptions): Promise<void> => {
  const { config, databases, clock } = options;
  const cookie = sessionCookie(config);
  const signer = new Signer(config.SESSION_SECRET);
  await fastify.register(fastifyCookie);
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Files and health are the same for everybody: without the cookie they need no look-up and no database.
    if (!request.url.startsWith('/api/')) delete request.cookies[cookie.name];
    done();
  });
  const sessionOf: SessionOf = ({ headers }) => {
    const signed = fastify.parseCookie(headers.cookie ?? '')[cookie.name];
    return signed === undefined ? undefined : (signer.unsign(signed).value ?? undefined);
  };
  await registerRateLimits(fastify, {
    limitOf: limitsIn(config),
    sessionOf,
    store: sharedCounts(fastify, options)?.Store,
  });
  registerAdmission(fastify, sessionOf);
  registerDatabaseShares(fastify, sessionOf, config.DATABASE_REQUESTS_PER_CLIENT);
  await fastify.register(fastifySession, {
    secret: signer,
    cookieName: cookie.name,
    cookie: { ...cookie.options, maxAge: maxSessionSeconds * 1_000 },
    store: createSessionStore({ pool: databases.tapedeck, clock, secret: config.SESSION_SECRET }),
    rolling: false,
    saveUninitialized: false,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const user = sessionUser(request.session);
    if (user) {
      const { publicId, signedInAt } = user;
      request.account = { id: user.accountId, roles: user.roles, session: { publicId, signedInAt } };
    } else if (request.cookies[cookie.name] !== undefined) {
      // The session has ended. A browser drops a cookie only when it is cleared with the attributes it was set with.
      delete request.cookies[cookie.name];
      void reply.clearCookie(cookie.name, cookie.options);
    }
    done();
  });
  pruneRegularly(fastify, options);
};
