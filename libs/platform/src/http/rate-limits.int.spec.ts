import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Param, Post, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountId, derivedId } from '@tapedeck/kernel';
import Fastify, { type FastifyRequest } from 'fastify';
import type { RateLimit } from '../settings/rate-limit.ts';
import { Admitted } from './admission.ts';
import { asAccount, createTestApp, testConfig } from '../testing/http-app.ts';
import { countByKey, Public, RateLimited } from '../http.ts';
import { limitsIn, limitSetting, registerRateLimits } from './rate-limits.ts';

type Limits = Readonly<Record<string, RateLimit | number>>;
const classes = ['reads', 'writes', 'health', 'explorer', 'sign-in'];
const perHour = (max: number): RateLimit => ({ max, windowMs: 3_600_000 });
const limits = (limit: RateLimit): Limits =>
  Object.fromEntries(classes.map((name) => [limitSetting(name), limit]));

@Public()
@Controller('api')
class Routes {
  @Get('plain')
  read(): string {
    return 'read';
  }

  @Get('plain/2')
  readOther(): string {
    return 'read';
  }

  @Post('plain')
  write(): string {
    return 'written';
  }

  @Get('searched')
  @Admitted('search')
  @RateLimited('explorer')
  search(): string {
    return 'found';
  }

  @Post('bought/:email')
  async buy(@Req() request: FastifyRequest, @Param('email') email: string): Promise<string> {
    await countByKey(request, 'checkout-email', email);
    return 'bought';
  }

  @Get('of/sign-in')
  @RateLimited('sign-in')
  signIn(): string {
    return 'redirected';
  }
}

@Public()
@Controller('pages')
class Pages {
  @Get()
  page(): string {
    return 'page';
  }
}

@Module({ controllers: [Routes, Pages] })
class Module1 {}

let app: NestFastifyApplication;
afterEach(() => app.close());

type Sent = Readonly<{ method?: string; headers?: Record<string, string> }>;

const start = async (config: Limits): Promise<(path: string, sent?: Sent) => Promise<Response>> => {
  app = await createTestApp({ modules: [Module1], config });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return (path, sent = {}) => fetch(`${url}${path}`, sent);
};

const statuses = async (
  count: number,
  send: (at: number) => Promise<Response>,
): Promise<readonly number[]> => {
  const all: number[] = [];
  for (let at = 0; at < count; at++) all.push((await send(at)).status);
  return all;
};

const session = (name: string): Record<string, string> => ({ [asAccount]: accountId(derivedId(name)) });

describe('rate limits', () => {
  it('answer 429 with the time to wait, as a problem', async () => {
    const send = await start(limits(perHour(2)));
    const first = await send('/api/plain');
    expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=2;w=3600');
    expect(first.headers.get('ratelimit')).toBe('"reads";r=1;t=3600');
    await send('/api/plain');
    const refused = await send('/api/plain');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(3_600);
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      {
        code: 'RATE_LIMITED',
        detail: `You have sent too many requests in a short time: try again in ${wait} seconds.`,
      },
    ]);
  });

  it('count each class for itself, and all routes of a class together', async () => {
    const send = await start(limits(perHour(2)));
    expect(await statuses(3, (at) => send(at % 2 ? '/api/plain/2' : '/api/plain'))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => send('/api/nowhere'))).toEqual([429, 429, 429]);
    expect(await statuses(3, () => send('/api/plain', { method: 'POST' }))).toEqual([201, 201, 429]);
    expect(await statuses(3, () => send('/api/searched'))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => send('/api/of/sign-in'))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => send('/health/live'))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => send('/pages'))).toEqual([200, 200, 200]);
  });

  it('count a route whose address is encoded in another way', async () => {
    const send = await start(limits(perHour(1)));
    expect(await statuses(2, (at) => send(at ? '/%61pi/plain' : '/api/plain'))).toEqual([200, 429]);
  });

  it('count sessions apart from each other and from visitors at the same address', async () => {
    const send = await start(limits(perHour(1)));
    for (const headers of [{}, session('ann'), session('bob')]) {
      expect(await statuses(2, () => send('/api/plain', { headers }))).toEqual([200, 429]);
    }
  });

  it('count the address that the trusted proxy states, whatever the client states before', async () => {
    const send = await start({ ...limits(perHour(1)), TRUSTED_PROXIES: 1 });
    const from = (addresses: string): Sent => ({ headers: { 'x-forwarded-for': addresses } });
    expect(await statuses(3, (at) => send('/api/plain', from(`192.0.2.${at}, 198.51.100.7`)))).toEqual([
      200, 429, 429,
    ]);
    expect((await send('/api/plain', from('198.51.100.8'))).status).toBe(200);
  });

  it('ignore stated addresses without a trusted proxy', async () => {
    const send = await start(limits(perHour(1)));
    const from = (at: number): Sent => ({ headers: { 'x-forwarded-for': `192.0.2.${at}` } });
    expect(await statuses(3, (at) => send('/api/plain', from(at)))).toEqual([200, 429, 429]);
  });

  it('count an IPv6 network of /64 as one address, and a mapped IPv4 address as that address', async () => {
    const send = await start({ ...limits(perHour(1)), TRUSTED_PROXIES: 1 });
    const status = async (address: string): Promise<number> =>
      (await send('/api/plain', { headers: { 'x-forwarded-for': address } })).status;
    expect(await status('2001:db8:1:2::1')).toBe(200);
    expect(await status('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await status('2001:db8:1:3::1')).toBe(200);
    expect(await status('192.0.2.1')).toBe(200);
    expect(await status('::ffff:192.0.2.1')).toBe(429);
  });

  it('end with their window', async () => {
    const send = await start(limits({ max: 1, windowMs: 1_000 }));
    expect(await statuses(2, () => send('/api/plain'))).toEqual([200, 429]);
    const deadline = performance.now() + 10_000;
    while ((await send('/api/plain')).status !== 200) expect(performance.now()).toBeLessThan(deadline);
  });

  it('count a key of the content for all clients together, besides the client', async () => {
    const send = await start({ RATE_LIMIT_CHECKOUT_EMAIL: perHour(2), RATE_LIMIT_WRITES: perHour(4) });
    const buy = (email: string, who: string): Promise<Response> =>
      send(`/api/bought/${email}`, { method: 'POST', headers: { [asAccount]: accountId(derivedId(who)) } });
    expect(await statuses(3, (at) => buy('ann@example.com', `client ${at}`))).toEqual([201, 201, 429]);
    const refused = await buy('ann@example.com', 'another client');
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await buy('bob@example.com', 'another client')).status).toBe(201);
    expect(await statuses(4, (at) => buy(`${at}@example.com`, 'client 0'))).toEqual([201, 201, 201, 429]);
  });

  it('refuse a class that no setting limits', () => {
    expect(() => limitsIn(testConfig())('claim-code')).toThrow(
      'There is no setting RATE_LIMIT_CLAIM_CODE, which limits the class claim-code.',
    );
  });
});

describe('registerRateLimits', () => {
  it('remembers only the clients seen last', async () => {
    const fastify = Fastify({ trustProxy: true });
    const limitOf = limitsIn(limits(perHour(1)));
    await registerRateLimits(fastify, { limitOf, sessionOf: () => undefined, maxClients: 10 });
    fastify.setErrorHandler((_error, _request, reply) => void reply.status(429).send());
    fastify.get('/api/plain', (_request, reply) => reply.send());
    const url = await fastify.listen({ port: 0, host: '127.0.0.1' });
    try {
      const from = (at: number): Promise<Response> =>
        fetch(`${url}/api/plain`, { headers: { 'x-forwarded-for': `192.0.2.${at}` } });
      expect(await statuses(11, from)).toEqual(Array.from({ length: 11 }, () => 200));
      expect((await from(10)).status).toBe(429);
      expect((await from(0)).status).toBe(200);
    } finally {
      await fastify.close();
    }
  });
});
