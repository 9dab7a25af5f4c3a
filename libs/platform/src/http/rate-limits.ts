import { setTimeout } from 'node:timers/promises';
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../settings/rate-limit.ts';
import { clientOf, type SessionOf } from './client.ts';
import { ExtendRouteConfig } from './route-config.ts';
import { isWebhook } from './webhook-route.ts';

/** Requests that are counted together, such as `sign-in`, which the setting `RATE_LIMIT_SIGN_IN` limits. */
export type RateClass = string;

/** Reads the limit of a class. @throws Error for a class without a setting */
export type LimitOf = (rateClass: RateClass) => RateLimit;

export const limitSetting = (rateClass: RateClass): string =>
  `RATE_LIMIT_${rateClass.toUpperCase().replaceAll('-', '_')}`;

/** The limits that the modules have contributed by their settings. */
export const limitsIn =
  (config: object): LimitOf =>
  (rateClass) => {
    const name = limitSetting(rateClass);
    const limit = (config as Readonly<Record<string, RateLimit | undefined>>)[name];
    if (limit === undefined)
      throw new Error(`There is no setting ${name}, which limits the class ${rateClass}.`);
    return limit;
  };

type CountByKey = (request: FastifyRequest, limit: RateClass, key: string) => Promise<void>;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    rateClass?: RateClass;
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyInstance {
    countByKey: CountByKey;
  }
}

/**
 * Counts a request also under a key of its content: the hash of an e-mail address, for all clients together. The route's class
 * counts its clients all the same.
 *
 * @example
 * await countByKey(request, 'checkout-email', emailHash);
 *
 * @throws DomainError RATE_LIMITED
 */
export const countByKey: CountByKey = (request, limit, key) => request.server.countByKey(request, limit, key);

/** The class of a route under whose limit it counts; without it, GET counts as `reads` and the others as `writes`. */
export const RateLimited = (rateClass: RateClass): MethodDecorator => ExtendRouteConfig({ rateClass });

const defaultMaxClients = 10_000;
/**
 * A client that goes on after a refusal waits about so long for each further one: thousands of them a second, or hundreds
 * at once, would cost the others.
 */
const defaultRepetitionDelayMs = 1_000;

const classOf = (request: FastifyRequest): RateClass | undefined => {
  const { method, url, routeOptions } = request;
  if (isWebhook(request)) return undefined;
  const named = routeOptions.config.rateClass;
  // The route's own address: that of the request may be encoded in other ways.
  if (named !== undefined || !(routeOptions.url ?? url).startsWith('/api/')) return named;
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'writes';
};

const limited = (seconds: number, isRepeated: boolean): DomainError => {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new DomainError(
    'too-many',
    'RATE_LIMITED',
    `You have sent too many requests in a short time: try again in ${wait}.`,
    { retryAfterSeconds: seconds, isRepeated },
  );
};

export type RateLimitOptions = Readonly<{
  limitOf: LimitOf;
  sessionOf: SessionOf;
  /** Where the requests are counted; in the memory of this process by default. */
  store?: FastifyRateLimitStoreCtor | undefined;
  /** Clients whose requests a process remembers for each class: those seen last. */
  maxClients?: number;
  repetitionDelayMs?: number;
}>;

type Check = (request: FastifyRequest, reply?: FastifyReply) => Promise<void>;

const createCheck = (
  fastify: FastifyInstance,
  rateClass: RateClass,
  keyOf: (request: FastifyRequest) => string,
  options: RateLimitOptions,
): Check => {
  const { limitOf, maxClients = defaultMaxClients, repetitionDelayMs = defaultRepetitionDelayMs } = options;
  const { max, windowMs } = limitOf(rateClass);
  const perWindow = {
    max,
    timeWindow: windowMs,
    cache: maxClients,
    rateClass,
    // Only tells the first refusal of a window from its repetitions.
    ban: 1,
    keyGenerator: keyOf,
  };
  const count = fastify.createRateLimit(perWindow);
  const policy = `"${rateClass}";q=${max};w=${Math.ceil(windowMs / 1_000)}`;
  return async (request, reply) => {
    const result = await count(request);
    if (result.isAllowed) return;
    const seconds = Math.max(1, result.ttlInSeconds);
    void reply
      ?.header('ratelimit-policy', policy)
      .header('ratelimit', `"${rateClass}";r=${result.remaining};t=${seconds}`);
    if (!result.isExceeded) return;
    if (result.isBanned) await setTimeout(repetitionDelayMs * (0.5 + Math.random()));
    throw limited(seconds, result.isBanned);
  };
};

/** Made when a class is first counted. */
const createChecks = (
  fastify: FastifyInstance,
  keyOf: (request: FastifyRequest) => string,
  options: RateLimitOptions,
): ((rateClass: RateClass) => Check) => {
  const checks = new Map<RateClass, Check>();
  return (rateClass) => {
    const check = checks.get(rateClass) ?? createCheck(fastify, rateClass, keyOf, options);
    checks.set(rateClass, check);
    return check;
  };
};

const registerKeyedLimits = (fastify: FastifyInstance, options: RateLimitOptions): void => {
  const keys = new WeakMap<FastifyRequest, string>();
  const checkOf = createChecks(fastify, (request) => keys.get(request) ?? '', options);
  fastify.decorate('countByKey', async (request, limit, key) => {
    keys.set(request, key);
    await checkOf(limit)(request);
  });
};

/**
 * Refuses the requests of a client that sends too many; to be registered before sessions are looked up. A route of a class
 * without a setting is refused when it is registered.
 */
export const registerRateLimits = async (
  fastify: FastifyInstance,
  options: RateLimitOptions,
): Promise<void> => {
  const { store, sessionOf, limitOf } = options;
  await fastify.register(rateLimit, { global: false, ...(store ? { store } : {}) });
  const checkOf = createChecks(fastify, (request) => clientOf(request, sessionOf), options);
  registerKeyedLimits(fastify, options);
  fastify.addHook('onRoute', ({ config }) => {
    if (config?.rateClass !== undefined) limitOf(config.rateClass);
  });
  fastify.addHook('onRequest', async (request, reply) => {
    const rateClass = classOf(request);
    if (rateClass !== undefined) await checkOf(rateClass)(request, reply);
  });
};
