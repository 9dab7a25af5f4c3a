import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { sessionCookie } from './sessions/session-cookie.ts';
import { registerSessions } from './sessions/register-sessions.ts';
import type { TestApi } from './testing/test-api.ts';
import {
  loginUrl,
  signedInBrowser,
  startSignInEnvironment,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
let api: TestApi;
const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  environment = await startSignInEnvironment(settings);
  api = environment.api;
};
afterEach(() => environment.close());

const user = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${api.origin}/api/auth/user`, { headers });

describe('rate limits of sessions', () => {
  it('count a forged cookie under the address', async () => {
    await start({ RATE_LIMIT_READS: '2/h' });
    const forged = (): string =>
      `${sessionCookie(api.config).name}=${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`;
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) statuses.push((await user({ cookie: forged() })).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  it('refuse before the session is looked up, and leave other sessions alone', async () => {
    await start({ RATE_LIMIT_READS: '2/h' });
    const [ann, bob] = [
      await signedInBrowser(api.origin, 'ann@example.com'),
      await signedInBrowser(api.origin, 'bob@example.com'),
    ];
    const statusFor = async (browser: typeof ann): Promise<number> =>
      (await browser.request(`${api.origin}/api/auth/user`)).status;
    expect([await statusFor(ann), await statusFor(ann)]).toEqual([200, 200]);
    const lock = await api.databases.tapedeck.connect();
    try {
      await lock.query('begin');
      await lock.query('lock table sessions in access exclusive mode');
      expect(await statusFor(ann)).toBe(429);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    expect(await statusFor(bob)).toBe(200);
  });

  it('write one line per client and window to the trail', async () => {
    await start({ RATE_LIMIT_READS: '1/h' });
    const lines: unknown[] = [];
    jest.spyOn(api.logger, 'info').mockImplementation((...[fields, text]: unknown[]) => {
      if (text === 'security') lines.push(fields);
    });
    for (let at = 0; at < 5; at++) await user();
    expect(lines).toEqual([
      expect.objectContaining({ event: 'excess_rate_limit_exceeded', code: 'RATE_LIMITED' }),
    ]);
  });
});

describe('the rate limits of signing in', () => {
  it('show a page that says how long to wait', async () => {
    await start({ RATE_LIMIT_SIGN_IN: '1/h' });
    const login = (): Promise<Response> =>
      fetch(loginUrl(api.origin, {}), { redirect: 'manual', headers: { accept: 'text/html' } });
    expect((await login()).status).toBe(302);
    const refused = await login();
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(await refused.text()).toMatch(/try again in \d+ seconds/);
  });

  it('count the callback apart', async () => {
    await start({ RATE_LIMIT_CALLBACK: '1/h' });
    const callback = async (): Promise<number> =>
      (await fetch(`${api.origin}/api/login/callback?code=x&state=x`)).status;
    expect([await callback(), await callback()]).toEqual([400, 429]);
    expect((await fetch(loginUrl(api.origin, {}), { redirect: 'manual' })).status).toBe(302);
  });
});

describe('RATE_LIMIT_STORE=postgres', () => {
  /** A further process of the API beside `api`. */
  const startProcess = async (): Promise<Readonly<{ fastify: FastifyInstance; url: string }>> => {
    const fastify = Fastify();
    const { config, clock, logger, databases } = api;
    await registerSessions(fastify, { config, clock, logger, databases: databases.pools });
    fastify.setErrorHandler((error, _request, reply) => reply.status(429).send(String(error)));
    fastify.get('/api/auth/user', (_request, reply) => reply.status(401).send());
    return { fastify, url: await fastify.listen({ port: 0, host: '127.0.0.1' }) };
  };

  it('counts the requests to all processes together', async () => {
    await start({ RATE_LIMIT_READS: '50/h', RATE_LIMIT_STORE: 'postgres' });
    const other = await startProcess();
    try {
      for (let at = 0; at < 50; at++) expect((await user()).status).toBe(401);
      expect((await user()).status).toBe(429);
      let sent = 0;
      await eventually(async () => {
        sent++;
        expect((await fetch(`${other.url}/api/auth/user`)).status).toBe(429);
      });
      expect(sent).toBeLessThan(50);
    } finally {
      await other.fastify.close();
    }
  });
});
