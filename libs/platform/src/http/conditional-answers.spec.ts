import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { registerConditionalAnswers } from './conditional-answers.ts';

let server: FastifyInstance;

beforeAll(async () => {
  server = fastify();
  registerConditionalAnswers(server);
  server.get('/thing', (_request, reply) => reply.header('etag', 'W/"7"').send({ n: 7 }));
  server.get('/none', (_request, reply) => reply.send({ n: 1 }));
  server.put('/thing', (_request, reply) => reply.header('etag', '"7"').send({ n: 7 }));
  server.get('/missing', (_request, reply) => reply.status(404).header('etag', '"7"').send({ n: 7 }));
  await server.ready();
});
afterAll(() => server.close());

const ask = async (method: 'GET' | 'PUT', url: string, known?: string): Promise<readonly unknown[]> => {
  const headers = known === undefined ? {} : { 'if-none-match': known };
  const { statusCode, body, headers: answered } = await server.inject({ method, url, headers });
  return [statusCode, body, answered['etag']];
};

describe('a GET with a known ETag', () => {
  it.each(['W/"7"', '"7"', '"1", W/"7"', '*'])('is answered without a body for %s', async (known) => {
    expect(await ask('GET', '/thing', known)).toEqual([304, '', 'W/"7"']);
  });

  it('is answered whole when the client has another answer, or none', async () => {
    expect(await ask('GET', '/thing', '"8"')).toEqual([200, '{"n":7}', 'W/"7"']);
    expect(await ask('GET', '/thing')).toEqual([200, '{"n":7}', 'W/"7"']);
  });
});

describe('other answers', () => {
  it.each([
    ['GET', '/none', [200, '{"n":1}', undefined]],
    ['PUT', '/thing', [200, '{"n":7}', '"7"']],
    ['GET', '/missing', [404, '{"n":7}', '"7"']],
  ] as const)('are sent whole: %s %s', async (method, url, expected) => {
    expect(await ask(method, url, '"7"')).toEqual(expected);
  });
});
