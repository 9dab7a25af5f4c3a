import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Health } from '../http.ts';
import { createTestApp } from '../testing/http-app.ts';

describe('GET /health/ready', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createTestApp({ modules: [] });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  it('answers although a check hangs, says which, and runs it once for all who ask', async () => {
    let runs = 0;
    app.get(Health).register('hangs', () => {
      runs++;
      return new Promise(() => {});
    });
    app.get(Health).register('answers', () => Promise.resolve('ok'));
    const answers = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const response = await fetch(`${await app.getUrl()}/health/ready`);
        return [response.status, await response.json()];
      }),
    );
    for (const answer of answers)
      expect(answer).toEqual([503, { status: 'down', checks: { hangs: 'unknown', answers: 'ok' } }]);
    expect(runs).toBe(1);
  });
});
