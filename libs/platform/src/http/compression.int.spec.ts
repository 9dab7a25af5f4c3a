import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, HttpCode, Module, Sse, type MessageEvent } from '@nestjs/common';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { of, type Observable } from 'rxjs';
import { createLogger } from '../log.ts';
import { testConfig } from '../testing/http-app.ts';
import { CLOCK, CONFIG, EVENT_STORE, LOGGER } from '../tokens.ts';
import { systemClock } from '@tapedeck/kernel';
import { createHttpApp, etagOf, HttpModule, Public } from '../http.ts';

const long = { text: 'histogram '.repeat(500) };
const veryLong = { text: Array.from({ length: 20_000 }, (_, at) => at).join(' ') };

@Public()
@Controller('api/texts')
class TextsController {
  @Get('long')
  @Header('etag', etagOf(7))
  long(): unknown {
    return long;
  }

  @Get('very-long')
  veryLong(): unknown {
    return veryLong;
  }

  @Get('short')
  short(): unknown {
    return { text: 'short' };
  }

  @Get('none')
  @HttpCode(204)
  none(): void {}

  @Sse('events')
  events(): Observable<MessageEvent> {
    return of({ data: long });
  }
}

@Module({ imports: [HttpModule.global()], controllers: [TextsController] })
class TextsModule {}

@Module({})
class TestDependencies {}

type Answer = Readonly<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>;

let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  const config = testConfig();
  const logger = createLogger('test', 'silent');
  const providers = [
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: CLOCK, useValue: systemClock },
    { provide: EVENT_STORE, useValue: createMemoryEventStore({ types: {} }) },
  ];
  const module = {
    module: TestDependencies,
    global: true,
    imports: [TextsModule],
    providers,
    exports: providers,
  };
  app = await createHttpApp({ module, config, settings: {}, clock: systemClock, logger });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
});

/** `fetch` would decompress the body. */
const request = (
  path: string,
  accepts?: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const accepting = accepts === undefined ? {} : { 'accept-encoding': accepts };
    get(`${url}${path}`, { method, headers: { ...headers, ...accepting } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).on('error', reject);
  });

const browserEncodings = 'gzip, deflate, br, zstd';

describe('an answer', () => {
  it.each([
    ['/api/texts/long', long],
    ['/api/texts/very-long', veryLong],
  ])('to %s is compressed with the best encoding that the client accepts', async (path, value) => {
    const encodings = [
      ['br', brotliDecompressSync, browserEncodings],
      ['gzip', gunzipSync, 'gzip;q=0.5, deflate'],
    ] as const;
    for (const [encoding, decompress, accepts] of encodings) {
      const { status, headers, body } = await request(path, accepts);
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'accept-encoding']);
      expect(headers['content-type']).toContain('application/json');
      expect(JSON.parse(decompress(body).toString())).toEqual(value);
      expect(body.length).toBeLessThan(JSON.stringify(value).length / 2);
    }
  });

  it.each([undefined, 'identity', 'br;q=0, gzip;q=0', 'zstd'])(
    'is not compressed for clients that accept %s',
    async (accepts) => {
      const { headers, body } = await request('/api/texts/long', accepts);
      expect([headers['content-encoding'], JSON.parse(body.toString())]).toEqual([undefined, long]);
    },
  );

  it('is not compressed when it is short or empty', async () => {
    const short = await request('/api/texts/short', browserEncodings);
    expect([short.headers['content-encoding'], short.body.toString()]).toEqual([
      undefined,
      '{"text":"short"}',
    ]);
    const none = await request('/api/texts/none', browserEncodings);
    expect([none.status, none.headers['content-encoding'], none.body.length]).toEqual([204, undefined, 0]);
  });

  it('to HEAD has no body', async () => {
    for (const path of ['/api/texts/long', '/api/texts/very-long']) {
      const { status, body } = await request(path, browserEncodings, {}, 'HEAD');
      expect([status, body.length]).toEqual([200, 0]);
    }
  });

  it('keeps its ETag when it is compressed', async () => {
    expect((await request('/api/texts/long', browserEncodings)).headers.etag).toBe('"7"');
  });

  it('that is an event stream is not compressed', async () => {
    const { headers, body } = await request('/api/texts/events', browserEncodings);
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/event-stream', undefined]);
    expect(body.toString()).toContain(long.text);
  });
});
