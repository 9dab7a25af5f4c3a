import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, HttpCode, Module, Sse, type MessageEvent } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { of, type Observable } from 'rxjs';
import { createLogger } from '../log.ts';
import { testConfig } from '../testing/http-app.ts';
import { CLOCK, CONFIG, LOGGER } from '../tokens.ts';
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
class Surroundings {}

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
  ];
  const module = {
    module: Surroundings,
    global: true,
    imports: [TextsModule],
    providers,
    exports: providers,
  };
  app = await createHttpApp({ module, config, clock: systemClock, logger });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
});

/** Not `fetch`, which unpacks what it gets. */
const ask = (
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

const browser = 'gzip, deflate, br, zstd';

describe('answers', () => {
  it.each([
    ['/api/texts/long', long],
    ['/api/texts/very-long', veryLong],
  ])('come in the best form that the client takes: %s', async (path, value) => {
    const forms = [
      ['br', brotliDecompressSync, browser],
      ['gzip', gunzipSync, 'gzip;q=0.5, deflate'],
    ] as const;
    for (const [form, unpack, accepts] of forms) {
      const { status, headers, body } = await ask(path, accepts);
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, form, 'accept-encoding']);
      expect(headers['content-type']).toContain('application/json');
      expect(JSON.parse(unpack(body).toString())).toEqual(value);
      expect(body.length).toBeLessThan(JSON.stringify(value).length / 2);
    }
  });

  it.each([undefined, 'identity', 'br;q=0, gzip;q=0', 'zstd'])(
    'stay plain for clients that ask for %s',
    async (accepts) => {
      const { headers, body } = await ask('/api/texts/long', accepts);
      expect([headers['content-encoding'], JSON.parse(body.toString())]).toEqual([undefined, long]);
    },
  );

  it('stay plain when they are short, and empty when they are empty', async () => {
    const short = await ask('/api/texts/short', browser);
    expect([short.headers['content-encoding'], short.body.toString()]).toEqual([
      undefined,
      '{"text":"short"}',
    ]);
    const none = await ask('/api/texts/none', browser);
    expect([none.status, none.headers['content-encoding'], none.body.length]).toEqual([204, undefined, 0]);
  });

  it('to HEAD have no body', async () => {
    for (const path of ['/api/texts/long', '/api/texts/very-long']) {
      const { status, body } = await ask(path, browser, {}, 'HEAD');
      expect([status, body.length]).toEqual([200, 0]);
    }
  });

  it('keep the version of what they show', async () => {
    expect((await ask('/api/texts/long', browser)).headers.etag).toBe('"7"');
  });

  it('that are events come as they happen', async () => {
    const { headers, body } = await ask('/api/texts/events', browser);
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/event-stream', undefined]);
    expect(body.toString()).toContain(long.text);
  });
});
