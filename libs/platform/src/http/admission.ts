import type { IncomingMessage } from 'node:http';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientOf, sessionClient, type SessionOf } from './client.ts';
import { ExtendRouteConfig } from './route-config.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    admission?: string;
  }
}

/** Routes with the same name share a limit, which their module registers with `Admissions`. */
export const Admitted = (name: string): MethodDecorator => ExtendRouteConfig({ admission: name });

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

  get total(): number {
    return this.#total;
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

  /** Whether requests are in flight, without which none is refused. */
  isInUse(name: string): boolean {
    return (this.#byName.get(name)?.total ?? 0) > 0;
  }

  /** The error for a further request of this client; undefined when it may enter. */
  refusal(name: string, client: string): Error | undefined {
    const inFlight = this.#byName.get(name);
    return inFlight && (inFlight.isFull(client) || inFlight.limit.isBusy(client))
      ? inFlight.limit.refusal()
      : undefined;
  }

  /** Returns the function to be called when the request is answered. */
  enter(name: string, client: string): () => void {
    return this.#byName.get(name)?.add(client) ?? (() => {});
  }
}

/** `client`: the session, else the address. `arrivedAt` is the value of `performance.now()` then. */
export type AdmittedRequest = Readonly<{ client: string; arrivedAt: number }>;

type Admitted = AdmittedRequest & Readonly<{ leave: () => void }>;

/** What the hooks of a server know for refusing requests. */
type Registered = Readonly<{
  sessionOf: SessionOf;
  names: Map<string, string>;
  admissions: { now?: Admissions };
}>;

const admitted = new WeakMap<FastifyRequest, Admitted>();
const registered = new WeakMap<FastifyInstance, Registered>();

/**
 * Refuses requests to `@Admitted` routes before they cost anything; to be registered before sessions are looked up, and
 * before any route.
 */
export const registerAdmission = (fastify: FastifyInstance, sessionOf: SessionOf): void => {
  const names = new Map<string, string>();
  const admissions: Registered['admissions'] = {};
  registered.set(fastify, { sessionOf, names, admissions });
  fastify.addHook('onRoute', ({ url, config }) => {
    if (config?.admission !== undefined) names.set(url, config.admission);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const name = request.routeOptions.config.admission;
    if (name === undefined || !admissions.now) return done();
    const client = clientOf(request, sessionOf);
    const refusal = admissions.now.refusal(name, client);
    if (refusal) return done(refusal);
    const leave = admissions.now.enter(name, client);
    admitted.set(request, { client, arrivedAt: performance.now(), leave });
    // Without an answer when the connection closes before.
    reply.raw.once('close', leave);
    done();
  });
  // Not when the answer has been received: how long a client takes for that must not count.
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    admitted.get(request)?.leave();
    done(null, payload);
  });
};

export type EarlyRefusal = Readonly<{ path: string; error: Error }>;

/**
 * From now on the limits apply that are registered with these admissions. The returned function tells whether a request
 * will be refused, where its path and session are enough for that.
 */
export const applyAdmissions = (
  fastify: FastifyInstance,
  admissions: Admissions,
): ((request: IncomingMessage) => EarlyRefusal | undefined) => {
  const known = registered.get(fastify);
  if (!known) return () => undefined;
  known.admissions.now = admissions;
  return (request) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const name = known.names.get(path);
    if (name === undefined || !admissions.isInUse(name)) return undefined;
    const session = known.sessionOf(request);
    const error = session === undefined ? undefined : admissions.refusal(name, sessionClient(session));
    return error ? { path, error } : undefined;
  };
};

/** Undefined for a route that is not `@Admitted`. */
export const admittedRequest = (context: ExecutionContext): AdmittedRequest | undefined =>
  admitted.get(context.switchToHttp().getRequest<FastifyRequest>());
