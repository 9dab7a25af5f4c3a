import { setTimeout } from 'node:timers/promises';
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import { clientOf, type SessionOf } from './client.ts';
import { ExtendRouteConfig } from './route-config.ts';
import { isWebhook } from './webhook-route.ts';

/** The classes of routes and the variable that limits each. */
export const rateLimitVariables = {
  reads: 'RATE_LIMIT_READS',
  writes: 'RATE_LIMIT_WRITES',
  'sign-in': 'RATE_LIMIT_SIGN_IN',
  callback: 'RATE_LIMIT_CALLBACK',
  explorer: 'RATE_LIMIT_EXPLORER',
  brush: 'RATE_LIMIT_BRUSH',
  export: 'RATE_LIMIT_EXPORT',
  changes: 'RATE_LIMIT_CHANGES',
  health: 'RATE_LIMIT_HEALTH',
  profile: 'RATE_LIMIT_PROFILE',
  sessions: 'RATE_LIMIT_SESSIONS',
  deletion: 'RATE_LIMIT_DELETION',
  checkout: 'RATE_LIMIT_CHECKOUT',
  'claim-code': 'RATE_LIMIT_CLAIM_CODE',
  'link-payment': 'RATE_LIMIT_LINK_PAYMENT',
  sql: 'RATE_LIMIT_SQL',
} as const;

export type RateClass = keyof typeof rateLimitVariables;

/** Limits by something else than the client, such as an e-mail address, and the variable of each. */
export const keyedLimitVariables = {
  'checkout-email': 'RATE_LIMIT_CHECKOUT_EMAIL',
  'claim-code-email': 'RATE_LIMIT_CLAIM_CODE_EMAIL',
} as const;

export type KeyedLimit = keyof typeof keyedLimitVariables;

const variables = { ...rateLimitVariables, ...keyedLimitVariables };
type LimitName = RateClass | KeyedLimit;

export type RateLimitConfig = Pick<ApiConfig, (typeof variables)[LimitName]>;

type CountByKey = (request: FastifyRequest, limit: KeyedLimit, key: string) => Promise<void>;

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
 * Counts a request also under a key of its content: the hash of an e-mail address, whoever sends it. The route's class
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
  config: RateLimitConfig;
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
  rateClass: LimitName,
  keyOf: (request: FastifyRequest) => string,
  options: RateLimitOptions,
): Check => {
  const { config, maxClients = defaultMaxClients, repetitionDelayMs = defaultRepetitionDelayMs } = options;
  const { max, windowMs } = config[variables[rateClass]];
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

const registerKeyedLimits = (fastify: FastifyInstance, options: RateLimitOptions): void => {
  const keys = new WeakMap<FastifyRequest, string>();
  const keyOf = (request: FastifyRequest): string => keys.get(request) ?? '';
  const checks = new Map<KeyedLimit, Check>();
  for (const limit of Object.keys(keyedLimitVariables) as KeyedLimit[]) {
    checks.set(limit, createCheck(fastify, limit, keyOf, options));
  }
  fastify.decorate('countByKey', async (request, limit, key) => {
    keys.set(request, key);
    await checks.get(limit)?.(request);
  });
};

/** Refuses the requests of a client that sends too many; to be registered before sessions are looked up. */
export const registerRateLimits = async (
  fastify: FastifyInstance,
  options: RateLimitOptions,
): Promise<void> => {
  const { store, sessionOf } = options;
  await fastify.register(rateLimit, { global: false, ...(store ? { store } : {}) });
  const ofClient = (request: FastifyRequest): string => clientOf(request, sessionOf);
  const checks = new Map<string, Check>();
  for (const rateClass of Object.keys(rateLimitVariables) as RateClass[]) {
    checks.set(rateClass, createCheck(fastify, rateClass, ofClient, options));
  }
  registerKeyedLimits(fastify, options);
  fastify.addHook('onRequest', async (request, reply) => {
    await checks.get(classOf(request) ?? '')?.(request, reply);
  });
};
