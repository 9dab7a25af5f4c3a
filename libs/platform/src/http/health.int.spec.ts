import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Health } from '../http.ts';
import { createTestApp } from '../testing/http-app.ts';

describe('GET /health/ready', () => {
  let app: NestFastifyApplication;
  let health: Health;
  beforeEach(async () => {
    app = await createTestApp({ modules: [] });
    await app.listen(0, '127.0.0.1');
    health = app.get(Health);
  });
  afterEach(() => app.close());

  const ready = async (): Promise<[number, unknown]> => {
    const response = await fetch(`${await app.getUrl()}/health/ready`);
    return [response.status, await response.json()];
  };

  it('reports the worst state of its checks', async () => {
    health.register('first', () => Promise.resolve('ok'));
    expect(await ready()).toEqual([200, { status: 'ok', checks: { first: 'ok' } }]);
    health.register('second', () => Promise.resolve('degraded'));
    expect(await ready()).toMatchObject([200, { status: 'degraded' }]);
    health.register('third', () => Promise.reject(new Error('unavailable')));
    expect(await ready()).toMatchObject([503, { status: 'down', checks: { third: 'down' } }]);
    expect((await fetch(`${await app.getUrl()}/health/live`)).status).toBe(200);
  });

  it('answers although a check hangs, says which, and runs it once for all requests', async () => {
    let runs = 0;
    health.register('hangs', () => {
      runs++;
      return new Promise(() => {});
    });
    health.register('answers', () => Promise.resolve('ok'));
    for (const answer of await Promise.all([ready(), ready(), ready()]))
      expect(answer).toEqual([503, { status: 'down', checks: { hangs: 'unknown', answers: 'ok' } }]);
    expect(runs).toBe(1);
  });

  it('runs each check at most once a second for all requests', async () => {
    let runs = 0;
    health.register('counted', () => {
      runs++;
      return Promise.resolve('ok');
    });
    const startedAt = performance.now();
    for (let time = 0; time < 30; time++) expect((await ready())[0]).toBe(200);
    expect(runs).toBeGreaterThan(0);
    expect(runs).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startedAt) / 1_000));
  });

  it('says that a server which stops is not ready', async () => {
    health.stop();
    expect(await ready()).toEqual([503, { status: 'down', checks: {} }]);
  });
});
