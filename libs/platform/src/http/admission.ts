import { Injectable, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    admission?: string;
  }
}

/** Routes with the same name share a limit, which their module registers with `Admissions`. */
export const Admitted = (name: string): MethodDecorator => RouteConfig({ admission: name });

export type AdmissionLimit = Readonly<{
  /** Requests from their arrival until their answer; one client may use as many as are left for the others. */
  maxInFlight: number;
  /** Whether a further request of this client could not be answered in time. */
  isBusy: (client: string) => boolean;
  refusal: () => Error;
}>;

/** Requests in flight by client. */
class InFlight {
  readonly limit: AdmissionLimit;
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(limit: AdmissionLimit) {
    this.limit = limit;
  }

  /** A client may use as many places as it leaves free, so that some are free whatever the number of busy clients. */
  isFull(client: string): boolean {
    return this.#of(client) >= this.limit.maxInFlight - this.#total;
  }

  /** The returned function counts once. */
  add(client: string): () => void {
    this.#byClient.set(client, this.#of(client) + 1);
    this.#total++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#total--;
      const left = this.#of(client) - 1;
      if (left > 0) this.#byClient.set(client, left);
      else this.#byClient.delete(client);
    };
  }

  #of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }
}

/** The limits by name. */
@Injectable()
export class Admissions {
  readonly #byName = new Map<string, InFlight>();

  register(name: string, limit: AdmissionLimit): void {
    this.#byName.set(name, new InFlight(limit));
  }

  /**
   * Returns the function to be called when the request is answered.
   * @throws the limit's refusal
   */
  enter(name: string, client: string): () => void {
    const inFlight = this.#byName.get(name);
    if (!inFlight) return () => {};
    if (inFlight.isFull(client) || inFlight.limit.isBusy(client)) throw inFlight.limit.refusal();
    return inFlight.add(client);
  }
}

/** `client`: the session, else the address. `arrivedAt` is the value of `performance.now()` then. */
export type AdmittedRequest = Readonly<{ client: string; arrivedAt: number }>;

const admitted = new WeakMap<FastifyRequest, AdmittedRequest & Readonly<{ leave: () => void }>>();
const admissionsOf = new WeakMap<FastifyInstance, Admissions>();

/** From now on the limits apply that are registered with these admissions. */
export const applyAdmissions = (fastify: FastifyInstance, admissions: Admissions): void => {
  admissionsOf.set(fastify, admissions);
};

/**
 * Refuses requests to `@Admitted` routes before they cost anything; to be registered before sessions are looked up.
 * `sessionOf` returns the id of a session that cannot be made up, undefined for a visitor.
 */
export const registerAdmission = (
  fastify: FastifyInstance,
  sessionOf: (request: FastifyRequest) => string | undefined,
): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    const name = request.routeOptions.config.admission;
    const admissions = admissionsOf.get(fastify);
    if (name === undefined || !admissions) return done();
    const session = sessionOf(request);
    const client = session === undefined ? `address ${request.ip}` : `session ${session}`;
    try {
      const leave = admissions.enter(name, client);
      admitted.set(request, { client, arrivedAt: performance.now(), leave });
      // Without an answer when the connection closes before.
      reply.raw.once('close', leave);
      done();
    } catch (refusal) {
      done(refusal as Error);
    }
  });
  // Not when the answer has been received: how long a client takes for that must not count.
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    admitted.get(request)?.leave();
    done(null, payload);
  });
};

/** Undefined for a route that is not `@Admitted`. */
export const admittedRequest = (context: ExecutionContext): AdmittedRequest | undefined =>
  admitted.get(context.switchToHttp().getRequest<FastifyRequest>());
