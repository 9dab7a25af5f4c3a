import 'reflect-metadata';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { handle, type Decider, type DomainEvent } from '@tapedeck/eventing';
import { accountId, derivedId, DomainError, fixedClock } from '@tapedeck/kernel';
import * as z from 'zod';
import { createLogger } from '../log.ts';
import { testConfig } from '../testing/http-app.ts';
import { CLOCK, CONFIG, EVENT_STORE, LOGGER } from '../tokens.ts';
import {
  createHttpApp,
  CurrentAccount,
  drain,
  HttpModule,
  Public,
  ReadModels,
  ReadsFrom,
  requestCommandContext,
  Returns,
  type RequestAccount,
} from '../http.ts';

const config = testConfig();
const logger = createLogger('test', 'silent');

type Noted = DomainEvent<'Noted', { text: string }>;
const decider: Decider<number, string, Noted> = {
  initialState: 0,
  evolve: (count) => count + 1,
  decide: (text) => [{ type: 'Noted', data: { text } }],
};
const types = { Noted: { version: 1 } };
const store = createMemoryEventStore({ types });
const addNote = handle(store, decider, types);

const Note = z.object({ text: z.string().min(1) });
const Shown = z.object({ text: z.string() });
let release: () => void = () => {};
let enter: () => void = () => {};
const inSlowRoute = new Promise<void>((resolve) => {
  enter = resolve;
});

@Controller('api/notes')
class NotesController {
  @Public()
  @Get('open')
  @Returns(200, Shown)
  open(): unknown {
    return { text: 'shown', secret: 'not in the schema' };
  }

  @Get('mine')
  @Returns(200, Shown)
  mine(@CurrentAccount() account: RequestAccount): z.infer<typeof Shown> {
    return { text: account.id };
  }

  @Public()
  @Get('slow')
  async slow(): Promise<string> {
    await new Promise<void>((resolve) => {
      release = resolve;
      enter();
    });
    return 'done';
  }

  @Public()
  @Get('read')
  @ReadsFrom('notes')
  @Returns(200, Shown)
  read(): z.infer<typeof Shown> {
    return { text: 'read' };
  }

  @Public()
  @Get('fail/:how')
  fail(@Param('how') how: string): string {
    if (how === 'known') throw new DomainError('conflict', 'NOTE_LOCKED', 'The note is locked: wait.');
    throw new Error('a secret detail');
  }

  @Public()
  @Post('visit')
  @Returns(201, Shown)
  async visit(): Promise<z.infer<typeof Shown>> {
    await addNote('notes-2', 'visited', requestCommandContext());
    return { text: 'visited' };
  }

  @Post()
  @Returns(201, Shown)
  async add(@Body({ schema: Note }) { text }: z.infer<typeof Note>): Promise<z.infer<typeof Shown>> {
    await addNote('notes-1', text, requestCommandContext());
    return { text };
  }
}

@Module({
  imports: [HttpModule.global()],
  controllers: [NotesController],
})
class NotesModule {}

@Module({})
class Dependencies {}
const clock = fixedClock(0);
const providers = [
  { provide: CONFIG, useValue: config },
  { provide: LOGGER, useValue: logger },
  { provide: CLOCK, useValue: clock },
  { provide: EVENT_STORE, useValue: store },
];

const member = accountId(derivedId('http.int.spec'));
let app: NestFastifyApplication;
let url: string;

const start = async (): Promise<NestFastifyApplication> => {
  const created = await createHttpApp({
    module: {
      module: NotesModule,
      imports: [{ module: Dependencies, global: true, providers, exports: providers }],
    },
    config,
    settings: {},
    clock,
    logger,
    prepare: async (fastify) => {
      fastify.addHook('onRequest', (request, _reply, done) => {
        if (request.headers['x-test-refused'])
          throw new DomainError('forbidden', 'REFUSED', 'Refused early.');
        if (request.headers['x-test-member']) request.account = { id: member, roles: [] };
        done();
      });
    },
  });
  created.get(ReadModels).register('notes', (position) => Promise.resolve(position <= 5n));
  await created.listen(0, '127.0.0.1');
  return created;
};

beforeAll(async () => {
  app = await start();
  url = await app.getUrl();
});
afterAll(() => app.close());

const signedIn = { 'x-test-member': 'yes' };
const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/api/notes`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signedIn, ...headers },
  });

describe('a route', () => {
  it('answers only the fields of its schema, with the request id and security headers', async () => {
    const response = await fetch(`${url}/api/notes/open`);
    expect(await response.json()).toEqual({ text: 'shown' });
    expect(response.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('answers 401 to visitors unless it is public', async () => {
    const response = await fetch(`${url}/api/notes/mine`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
    const mine = await fetch(`${url}/api/notes/mine`, { headers: signedIn });
    expect(await mine.json()).toEqual({ text: member });
  });
});

describe('a problem', () => {
  it('names the field that was wrong', async () => {
    const response = await post('{"text":""}');
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: 'text' }] });
  });

  it.each(['{', '', 'null', '[]', '"x"'])('is the answer to the body %j', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: 400, requestId: expect.any(String) });
  });

  it('is the answer to a body that is too large', async () => {
    const response = await post(JSON.stringify({ text: 'x'.repeat(200_000) }));
    expect(response.status).toBe(413);
  });

  it('describes a domain error and hides the details of other errors', async () => {
    const known = await fetch(`${url}/api/notes/fail/known`);
    expect(known.status).toBe(409);
    expect(await known.json()).toMatchObject({ code: 'NOTE_LOCKED', detail: 'The note is locked: wait.' });
    const unknown = await fetch(`${url}/api/notes/fail/unknown`);
    expect(unknown.status).toBe(500);
    expect(await unknown.text()).not.toContain('secret');
  });

  it('is the answer when a hook refuses the request', async () => {
    const response = await fetch(`${url}/api/notes/open`, { headers: { 'x-test-refused': 'yes' } });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'REFUSED' });
  });

  it('is the answer where there is no route', async () => {
    const response = await fetch(`${url}/api/nothing`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('a command', () => {
  it('answers with its tape position, and is executed once for one Idempotency-Key', async () => {
    const before = (await store.readStream('notes-1')).length;
    const first = await post('{"text":"a"}', { 'idempotency-key': 'k1' });
    expect(first.status).toBe(201);
    const position = first.headers.get('tape-position');
    expect(Number(position)).toBeGreaterThan(0);
    const again = await post('{"text":"a"}', { 'idempotency-key': 'k1' });
    expect(again.headers.get('tape-position')).toBe(position);
    const another = await post('{"text":"a"}', { 'idempotency-key': 'k2' });
    expect(Number(another.headers.get('tape-position'))).toBeGreaterThan(Number(position));
    expect(await store.readStream('notes-1')).toHaveLength(before + 2);
  });

  it('records its actor, its request and its time', async () => {
    const response = await post('{"text":"who"}');
    const last = (await store.readStream('notes-1')).at(-1);
    expect(last?.metadata).toMatchObject({
      actorId: member,
      actorKind: 'member',
      correlationId: response.headers.get('request-id'),
      occurredAt: '1970-01-01T00:00:00.000Z',
    });
  });

  it('records a visitor as its actor without a session', async () => {
    await fetch(`${url}/api/notes/visit`, { method: 'POST' });
    const last = (await store.readStream('notes-2')).at(-1);
    expect(last?.metadata).toMatchObject({ actorId: 'visitor', actorKind: 'visitor' });
  });
});

describe('a route with @ReadsFrom', () => {
  it.each([
    ['5', null],
    ['6', 'true'],
    ['nonsense', null],
  ])('for a client that has seen position %s answers Tape-Stale: %s', async (position, stale) => {
    const response = await fetch(`${url}/api/notes/read`, { headers: { 'tape-position': position } });
    expect(response.status).toBe(200);
    expect(response.headers.get('tape-stale')).toBe(stale);
  });
});

describe('a server that stops', () => {
  it('answers a request that was accepted before closing', async () => {
    const stopping = await start();
    const pending = fetch(`${await stopping.getUrl()}/api/notes/slow`);
    await inSlowRoute;
    const closed = stopping.close();
    release();
    const response = await pending;
    expect([response.status, await response.text()]).toEqual([200, 'done']);
    await closed;
  });

  it('answers a connection whose request arrives after draining has begun', async () => {
    const stopping = await start();
    const server = stopping.getHttpServer();
    const accepted = once(server, 'connection');
    const socket = connect(Number(new URL(await stopping.getUrl()).port), '127.0.0.1');
    await accepted;
    const drained = drain(stopping);
    socket.write('GET /api/notes/open HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer.toLowerCase()).toContain('connection: close');
    await drained;
    await stopping.close();
  });
});
