import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientOf, type SessionOf } from './client.ts';

/** A further request waits so long for the earlier ones of its client. */
const maxWaitMs = 2_000;
const maxWaitingPerClient = 50;

const busy = (): DomainError =>
  new DomainError(
    'unavailable',
    'DATABASE_BUSY',
    'Your earlier requests are still waiting for the database: try again in a moment.',
    { retryAfterSeconds: 1 },
  );

type Waiting = Readonly<{ start: () => void; refuse: () => void }>;
type Share = { running: number; readonly waiting: Set<Waiting> };

/** How many requests of one client are executed at once; the others wait in the order of their arrival. */
class Shares {
  readonly #max: number;
  readonly #byClient = new Map<string, Share>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Calls `start` or `refuse`, once. The returned function ends the request, whether it waits or runs. */
  enter(client: string, start: () => void, refuse: () => void): () => void {
    const share = this.#byClient.get(client) ?? { running: 0, waiting: new Set<Waiting>() };
    this.#byClient.set(client, share);
    let isRunning = false;
    let isOver = false;
    const run = (): void => {
      isRunning = true;
      share.running++;
      start();
    };
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      if (isRunning) share.running--;
      this.#next(client, share);
    };
    if (share.running < this.#max) run();
    else if (share.waiting.size >= maxWaitingPerClient) refuse();
    else this.#wait(share, { start: run, refuse });
    return end;
  }

  #wait({ waiting }: Share, { start, refuse }: Waiting): void {
    const timer = setTimeout(() => {
      waiting.delete(entry);
      refuse();
    }, maxWaitMs);
    const entry: Waiting = {
      start: () => {
        clearTimeout(timer);
        start();
      },
      refuse,
    };
    waiting.add(entry);
  }

  #next(client: string, share: Share): void {
    const [next] = share.waiting;
    if (next && share.running < this.#max) {
      share.waiting.delete(next);
      next.start();
    } else if (share.running === 0 && share.waiting.size === 0) this.#byClient.delete(client);
  }
}

const usesDatabase = ({ routeOptions }: FastifyRequest): boolean => {
  const { url = '', config } = routeOptions;
  // Those that wait for the engine or for the provider of sign-ins, and streams, hold no connection while they wait.
  return url.startsWith('/api/') && config.admission === undefined && config.rateClass === undefined;
};

/**
 * Bounds the connections to the databases that one client can hold, so that its slow queries leave some to the others.
 * Only from the handler on: a body that arrives slowly holds no connection.
 */
export const registerDatabaseShares = (
  fastify: FastifyInstance,
  sessionOf: SessionOf,
  requestsPerClient: number,
): void => {
  const shares = new Shares(requestsPerClient);
  const ends = new WeakMap<FastifyRequest, () => void>();
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!usesDatabase(request)) return done();
    const end = shares.enter(
      clientOf(request, sessionOf),
      () => done(),
      () => done(busy()),
    );
    ends.set(request, end);
    reply.raw.once('close', end);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    ends.get(request)?.();
    done(null, payload);
  });
};
