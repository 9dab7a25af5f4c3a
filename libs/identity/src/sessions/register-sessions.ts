import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import type { Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import type { FastifyInstance } from 'fastify';
import { registerSignInPages } from '../sign-in/sign-in-pages.ts';
import { longestSession } from './lifetimes.ts';
import { sessionCookie } from './session-cookie.ts';
import { createSessionStore, pruneSessions } from './session-store.ts';

export type SessionOptions = Readonly<{
  config: ApiConfig;
  databases: Pick<Databases, 'tapedeck'>;
  clock: Clock;
}>;

const pruneEveryMs = 60 * 60 * 1_000;

const pruneNowAndThen = (fastify: FastifyInstance, { databases, clock }: SessionOptions): void => {
  // What cannot be pruned now is pruned in an hour; an expired row opens nothing.
  const prune = (): void => void pruneSessions(databases.tapedeck, clock).catch(() => undefined);
  const timer = setInterval(prune, pruneEveryMs).unref();
  fastify.addHook('onClose', async () => clearInterval(timer));
  fastify.addHook('onListen', async () => prune());
};

/** Tells every request of the API who asks (`request.account`), by server-side sessions. */
export const registerSessions = async (fastify: FastifyInstance, options: SessionOptions): Promise<void> => {
  const { config, databases, clock } = options;
  const cookie = sessionCookie(config);
  await fastify.register(fastifyCookie);
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Files and health are the same for everybody: they cost no look-up and work without the database.
    if (!request.url.startsWith('/api/')) delete request.cookies[cookie.name];
    done();
  });
  await fastify.register(fastifySession, {
    secret: config.SESSION_SECRET,
    cookieName: cookie.name,
    cookie: { ...cookie.options, maxAge: longestSession * 1_000 },
    store: createSessionStore(databases.tapedeck, clock),
    rolling: false,
    saveUninitialized: false,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const user = request.session.passport?.user;
    if (user) request.account = { id: user.accountId, roles: user.roles };
    else if (request.cookies[cookie.name] !== undefined) {
      // A cookie of a session that is over; gone only when it is cleared with the attributes it was set with.
      delete request.cookies[cookie.name];
      void reply.clearCookie(cookie.name, cookie.options);
    }
    done();
  });
  registerSignInPages(fastify);
  pruneNowAndThen(fastify, options);
};
