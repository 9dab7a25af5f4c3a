import type { Clock } from '@tapedeck/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Sealer } from '../sessions/sealer.ts';

/** For Nest: `PendingSignIns`. */
export const PENDING_SIGN_INS = Symbol('PendingSignIns');

const PendingSignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  callbackUrl: z.string(),
  returnTo: z.string(),
  begunAt: z.number(),
});

/** A sign-in that this browser has begun and whose callback has not arrived yet. */
export type PendingSignIn = Readonly<z.infer<typeof PendingSignIn>>;

const signInTimeoutSeconds = 15 * 60;
/** Limits the size of the request headers when many sign-ins are begun and none is completed. */
const maxPendingSignIns = 4;

/**
 * The pending sign-ins of a browser, each in its own sealed cookie: several tabs can sign in at once, and the server
 * stores nothing for visitors who leave the provider's page.
 */
export type PendingSignIns = Readonly<{
  save: (request: FastifyRequest, reply: FastifyReply, signIn: Omit<PendingSignIn, 'begunAt'>) => void;
  find: (request: FastifyRequest, state: string) => PendingSignIn | undefined;
  remove: (reply: FastifyReply, state: string) => void;
}>;

export const createPendingSignIns = (cookie: SessionCookie, sealer: Sealer, clock: Clock): PendingSignIns => {
  const prefix = `${cookie.name}-in-`;
  const nameOf = (state: string): string => `${prefix}${state.slice(0, 16)}`;

  const opened = (sealed: string | undefined): PendingSignIn | undefined => {
    const text = sealed === undefined ? undefined : sealer.open(sealed);
    if (text === undefined) return undefined;
    const signIn = PendingSignIn.parse(JSON.parse(text));
    return signIn.begunAt + signInTimeoutSeconds * 1_000 > clock.now() ? signIn : undefined;
  };

  const removeOldest = (request: FastifyRequest, reply: FastifyReply): void => {
    const newestFirst = Object.keys(request.cookies)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ name, begunAt: opened(request.cookies[name])?.begunAt ?? 0 }))
      .sort((a, b) => b.begunAt - a.begunAt);
    for (const { name } of newestFirst.slice(maxPendingSignIns - 1)) {
      void reply.clearCookie(name, cookie.options);
    }
  };

  return {
    save: (request, reply, signIn) => {
      removeOldest(request, reply);
      const sealed = sealer.seal(JSON.stringify({ ...signIn, begunAt: clock.now() }));
      const options = { ...cookie.options, maxAge: signInTimeoutSeconds };
      void reply.setCookie(nameOf(signIn.state), sealed, options);
    },
    find: (request, state) => {
      // The cookie's name has only the beginning of the state.
      const signIn = opened(request.cookies[nameOf(state)]);
      return signIn?.state === state ? signIn : undefined;
    },
    remove: (reply, state) => void reply.clearCookie(nameOf(state), cookie.options),
  };
};
