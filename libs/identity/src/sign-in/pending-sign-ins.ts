import type { Clock } from '@tapedeck/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Sealer } from '../sessions/sealer.ts';

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  callbackUrl: z.string(),
  returnTo: z.string(),
  begunAt: z.number(),
});

/** A sign-in that was begun in this browser and has not come back yet. */
export type Attempt = Readonly<z.infer<typeof Attempt>>;

const secondsToSignIn = 15 * 60;
/** A request's headers must stay small, however many tabs were left lying. */
const mostAtOnce = 4;

/**
 * Sign-ins under way, each in a sealed cookie of its own: any number of tabs at once, none waits in our memory,
 * and who only looks at the sign-in page leaves nothing behind.
 */
export type PendingSignIns = Readonly<{
  keep: (request: FastifyRequest, reply: FastifyReply, attempt: Omit<Attempt, 'begunAt'>) => void;
  find: (request: FastifyRequest, state: string) => Attempt | undefined;
  forget: (reply: FastifyReply, state: string) => void;
}>;

export const createPendingSignIns = (cookie: SessionCookie, sealer: Sealer, clock: Clock): PendingSignIns => {
  const prefix = `${cookie.name}-in-`;
  const nameOf = (state: string): string => `${prefix}${state.slice(0, 16)}`;

  const opened = (sealed: string | undefined): Attempt | undefined => {
    const text = sealed === undefined ? undefined : sealer.open(sealed);
    if (text === undefined) return undefined;
    const attempt = Attempt.parse(JSON.parse(text));
    return attempt.begunAt + secondsToSignIn * 1_000 > clock.now() ? attempt : undefined;
  };

  const makeRoom = (request: FastifyRequest, reply: FastifyReply): void => {
    const lying = Object.keys(request.cookies)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ name, begunAt: opened(request.cookies[name])?.begunAt ?? 0 }))
      .sort((a, b) => b.begunAt - a.begunAt);
    for (const { name } of lying.slice(mostAtOnce - 1)) void reply.clearCookie(name, cookie.options);
  };

  return {
    keep: (request, reply, attempt) => {
      makeRoom(request, reply);
      const sealed = sealer.seal(JSON.stringify({ ...attempt, begunAt: clock.now() }));
      void reply.setCookie(nameOf(attempt.state), sealed, { ...cookie.options, maxAge: secondsToSignIn });
    },
    find: (request, state) => {
      const attempt = opened(request.cookies[nameOf(state)]);
      return attempt?.state === state ? attempt : undefined;
    },
    forget: (reply, state) => void reply.clearCookie(nameOf(state), cookie.options),
  };
};
