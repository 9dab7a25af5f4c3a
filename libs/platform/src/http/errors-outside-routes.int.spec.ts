import 'reflect-metadata';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainError, fixedClock } from '@tapedeck/kernel';
import { createLogger } from '../log.ts';
import { testConfig } from '../testing/http-app.ts';
import { CLOCK, CONFIG, EVENT_STORE, LOGGER } from '../tokens.ts';
import { Problem } from '../contract.ts';
import { createHttpApp, HttpModule, Public } from '../http.ts';

const config = testConfig();
const clock = fixedClock(0);
const logger = createLogger('test', 'silent');
const logged: unknown[][] = [];
jest.spyOn(logger, 'info').mockImplementation((...line: unknown[]) => void logged.push(line));

@Public()
@Controller('api/things')
class ThingsController {
  @Get(':id')
  get(@Param('id') id: string): unknown {
    return { id };
  }

  @Post()
  add(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({ imports: [HttpModule.global()], controllers: [ThingsController] })
class ThingsModule {}

@Module({})
class Dependencies {}
const providers = [
  { provide: CONFIG, useValue: config },
  { provide: LOGGER, useValue: logger },
  { provide: CLOCK, useValue: clock },
  { provide: EVENT_STORE, useValue: createMemoryEventStore({ types: {} }) },
];

let app: NestFastifyApplication;
let origin = '';

beforeAll(async () => {
  app = await createHttpApp({
    module: {
      module: ThingsModule,
      imports: [{ module: Dependencies, global: true, providers, exports: providers }],
    },
    config,
    settings: {},
    clock,
    logger,
    prepare: async (fastify) => {
      fastify.get('/files/missing', async () => {
        throw new DomainError('not-found', 'NO_SUCH_FILE', 'There is no such file.');
      });
      fastify.get('/files/broken', async () => {
        throw new Error('a secret detail');
      });
    },
  });
  await app.listen(0, '127.0.0.1');
  origin = await app.getUrl();
});
afterAll(() => app.close());

type Answer = Readonly<{ status: number; headers: ReadonlyMap<string, string>; body: string }>;

/** Sends bytes as they are: `fetch` would correct the address. */
const send = async (...parts: readonly string[]): Promise<Answer> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => {});
  socket.write(parts.join('\r\n'));
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const headers = new Map(
    headerLines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body };
};

const request = (line: string, ...headers: readonly string[]): Promise<Answer> =>
  send(`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', '');

const expectProblem = ({ status, headers, body }: Answer, expected: number, code?: string): void => {
  expect([status, body]).toEqual([expected, expect.stringContaining('{')]);
  const problem = Problem.parse(JSON.parse(body));
  expect(problem.status).toBe(expected);
  if (code !== undefined) expect(problem.code).toBe(code);
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('content-security-policy')).toContain("default-src '");
  expect(headers.get('request-id')).toBe(problem.requestId);
  expect(body).not.toContain('secret');
  expect(body).not.toContain('node_modules');
};

describe('an error outside of the routes of modules', () => {
  it.each<[line: string, status: number, code?: string]>([
    ['GET /api/nothing', 404, 'NO_SUCH_ROUTE'],
    ['GET /api/', 404, 'NO_SUCH_ROUTE'],
    ['GET //', 404, 'NO_SUCH_ROUTE'],
    ['GET //evil.example/%2e%2e', 404, 'NO_SUCH_ROUTE'],
    ['POST /api/nothing', 404, 'NO_SUCH_ROUTE'],
    ['DELETE /api/things/1', 404, 'NO_SUCH_ROUTE'],
    ['OPTIONS /api/things/1', 404, 'NO_SUCH_ROUTE'],
    ['GET /%zz', 400, 'BAD_REQUEST'],
    ['GET /api/things/%ff', 400, 'BAD_REQUEST'],
    ['GET /%', 400, 'BAD_REQUEST'],
    ['GET /files/missing', 404, 'NO_SUCH_FILE'],
    ['GET /files/broken', 500, 'INTERNAL_ERROR'],
  ])('%s is answered as a problem with all headers, and logged', async (line, status, code) => {
    const answer = await request(line);
    expectProblem(answer, status, code);
    const requestId = answer.headers.get('request-id');
    expect(logged).toContainEqual([expect.objectContaining({ requestId, status }), 'request']);
  });

  it('an address that is too long is answered as a problem with all headers', async () => {
    expectProblem(await request(`GET /api/things/${'x'.repeat(5_000)}`), 414, 'URI_TOO_LONG');
  });

  it.each([
    ['a version of HTTP that does not exist', ['GET / HTTP/9.9', '', ''], 400],
    ['no HTTP', ['hello', '', ''], 400],
    ['a header of 20,000 characters', ['GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`, '', ''], 431],
    [
      'two lengths',
      ['POST /api/things HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2', '', 'x'],
      400,
    ],
    ['no host', ['GET / HTTP/1.1', 'Connection: close', '', ''], 400],
  ])('%s is answered as a problem with all headers', async (_what, parts, status) => {
    expectProblem(await send(...parts), status);
  });

  it.each([
    ['a body that is not JSON', '{', 'application/json', 400],
    ['a body that is too large', `"${'x'.repeat(140_000)}"`, 'application/json', 413],
  ])('%s is answered as a problem', async (_what, body, type, status) => {
    const answer = await send(
      'POST /api/things HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    );
    expectProblem(answer, status);
  });
});
