import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientOf, type SessionOf } from './client.ts';
import { isWebhook } from './webhook-route.ts';

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

type Connection = FastifyReply['raw'];
type Share = { running: number; readonly waiting: Set<() => void> };

/** How many requests of one client are executed at once; the others wait in the order of their arrival. */
class Shares {
  readonly #max: number;
  readonly #byClient = new Map<string, Share>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Resolves when the request may be executed. The returned function ends it; so does the end of its connection.
   * @throws DomainError DATABASE_BUSY
   */
  async enter(client: string, connection: Connection): Promise<() => void> {
    const share = this.#byClient.get(client) ?? { running: 0, waiting: new Set<() => void>() };
    this.#byClient.set(client, share);
    if (share.running < this.#max) share.running++;
    else await this.#turn(share, connection);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#end(client, share);
    };
    if (connection.destroyed) end();
    else connection.once('close', end);
    return end;
  }

  /** A promise, and not a callback: that would run in the context of the request that has ended. */
  #turn(share: Share, connection: Connection): Promise<void> {
    const { waiting } = share;
    if (waiting.size >= maxWaitingPerClient) throw busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        connection.off('close', refuse);
      };
      const start = (): void => {
        leave();
        share.running++;
        resolve();
      };
      const refuse = (): void => {
        leave();
        reject(busy());
      };
      const timer = setTimeout(refuse, maxWaitMs);
      waiting.add(start);
      connection.once('close', refuse);
    });
  }

  #end(client: string, share: Share): void {
    share.running--;
    const [start] = share.waiting;
    if (start) start();
    else if (share.running === 0) this.#byClient.delete(client);
  }
}

const usesDatabase = (request: FastifyRequest): boolean => {
  const { url = '', config } = request.routeOptions;
  // Those that wait for the engine or for the provider of sign-ins, and streams, hold no connection while they wait.
  return (
    url.startsWith('/api/') &&
    !isWebhook(request) &&
    config.admission === undefined &&
    config.rateClass === undefined
  );
};

const ends = new WeakMap<FastifyRequest, () => void>();

/**
 * From now on the request waits for another server: the client's next request may use the database meanwhile.
 *
 * @example
 * leaveDatabaseShare(request);
 * const picture = await capture(urlId);
 */
export const leaveDatabaseShare = (request: FastifyRequest): void => ends.get(request)?.();

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
  fastify.addHook('preHandler', async (request, reply) => {
    if (!usesDatabase(request)) return;
    ends.set(request, await shares.enter(clientOf(request, sessionOf), reply.raw));
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    leaveDatabaseShare(request);
    done(null, payload);
  });
};
