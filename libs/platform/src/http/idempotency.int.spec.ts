import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Headers, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { handle, type Decider, type DomainEvent, type EventStore, type Handle } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { newId } from '@tapedeck/kernel';
import * as z from 'zod';
import { Public, requestCommandContext, Returns } from '../http.ts';
import { migrate } from '../migrations.ts';
import { createTestApp, testClient, testDatabases, type TestCall, type TestDatabases } from '../testing.ts';

type Noted = DomainEvent<'Noted', { text: string }>;
const decider: Decider<readonly string[], string, Noted> = {
  initialState: [],
  evolve: (texts, { data }) => [...texts, data.text],
  decide: (text) => [{ type: 'Noted', data: { text } }],
};
const types = { Noted: { version: 1 } };
const Order = z.object({ name: z.string() });
const Done = z.object({ done: z.boolean() });
const done = { done: true };

let databases: TestDatabases;
let store: EventStore;
let note: Handle<string>;
let app: NestFastifyApplication;
let url: string;
/** The order fails after this many of its commands. */
let failsAfter = Infinity;
let name = '';

@Controller('api/orders')
class OrdersController {
  /** Two streams, and two commands to one of them. */
  @Post()
  @Returns(201, Done)
  async order(@Body({ schema: Order }) { name }: z.infer<typeof Order>): Promise<z.infer<typeof Done>> {
    const commands = [
      () => note(`a-${name}`, 'placed', requestCommandContext()),
      () => note(`b-${name}`, 'placed', requestCommandContext()),
      () => note(`b-${name}`, 'paid', requestCommandContext({ part: 'payment' })),
    ];
    for (const [at, send] of commands.entries()) {
      if (at === failsAfter) throw new Error('the process ends');
      await send();
    }
    return done;
  }

  @Post('unnamed')
  @Returns(201, Done)
  async unnamed(@Body({ schema: Order }) { name }: z.infer<typeof Order>): Promise<z.infer<typeof Done>> {
    await note(`a-${name}`, 'one', requestCommandContext());
    await note(`a-${name}`, 'two', requestCommandContext());
    return done;
  }

  @Public()
  @Post('visit')
  @Returns(201, Done)
  async visit(@Body({ schema: Order }) { name }: z.infer<typeof Order>): Promise<z.infer<typeof Done>> {
    await note(`a-${name}`, 'visited', requestCommandContext());
    return done;
  }

  /** The server knows this visitor by a secret that it gave out. */
  @Public()
  @Post('guest')
  @Returns(201, Done)
  async guest(
    @Body({ schema: Order }) { name }: z.infer<typeof Order>,
    @Headers('x-ticket') ticket: string,
  ): Promise<z.infer<typeof Done>> {
    await note(`a-${name}`, ticket, requestCommandContext({ actor: { id: ticket, kind: 'guest' } }));
    return done;
  }
}

@Module({ controllers: [OrdersController] })
class OrdersModule {}

const member = newId();
const send = (path: string, key: string | undefined, call: TestCall = {}): Promise<Response> =>
  testClient(`${url}/api/orders`, member)('POST', path, {
    body: { name },
    ...call,
    headers: { ...(key === undefined ? {} : { 'idempotency-key': key }), ...call.headers },
  });
const sendAsVisitor = (path: string, key: string | undefined, ticket = ''): Promise<Response> =>
  fetch(`${url}/api/orders${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-ticket': ticket,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ name }),
  });

const textsOf = async (stream: string): Promise<readonly unknown[]> =>
  (await store.readStream(`${stream}-${name}`)).map(({ data }) => data['text']);

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  store = createPostgresEventStore({ pool: databases.tapedeck, types });
  note = handle(store, decider, types);
  app = await createTestApp({ modules: [OrdersModule], databases, store });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await store.close();
  await databases.drop();
});
beforeEach(() => {
  name = newId();
  failsAfter = Infinity;
});

describe('a request that sends several commands', () => {
  const expectAllOnce = async (): Promise<void> => {
    expect([await textsOf('a'), await textsOf('b')]).toEqual([['placed'], ['placed', 'paid']]);
  };

  it('executes each of them once for one Idempotency-Key', async () => {
    const key = newId();
    const first = await send('', key);
    expect([first.status, await first.json()]).toEqual([201, done]);
    await expectAllOnce();
    const again = await send('', key);
    expect([again.status, await again.json()]).toEqual([201, done]);
    expect(again.headers.get('tape-position')).toBe(first.headers.get('tape-position'));
    await expectAllOnce();
  });

  it.each([1, 2])(
    'executes the others when it is repeated after a failure behind command %i',
    async (after) => {
      const key = newId();
      failsAfter = after;
      expect((await send('', key)).status).toBe(500);
      expect((await send('', key)).status).toBe(500);
      failsAfter = Infinity;
      expect((await send('', key)).status).toBe(201);
      await expectAllOnce();
    },
  );

  it('executes each of them once when it arrives several times at the same moment', async () => {
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('', key)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    await expectAllOnce();
  });

  it('fails, with and without a key, when it sends two commands to one stream under one name', async () => {
    expect((await send('/unnamed', undefined)).status).toBe(500);
    expect((await send('/unnamed', newId())).status).toBe(500);
    expect(await textsOf('a')).toEqual(['one', 'one']);
  });
});

describe('an Idempotency-Key', () => {
  it('belongs to one account', async () => {
    const key = newId();
    await send('', key);
    await send('', key, { account: newId() });
    expect(await textsOf('a')).toEqual(['placed', 'placed']);
  });

  it('is refused for another body', async () => {
    const key = newId();
    await send('', key);
    const other = await send('', key, { body: { name, more: 1 } });
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(await textsOf('a')).toEqual(['placed']);
  });

  it.each([
    ['too long', 'k'.repeat(201)],
    ['empty', ''],
    ['repeated', 'one, two'],
    ['not in ASCII', 'k\u00e9'],
  ])('is refused when it is %s', async (_, key) => {
    const answer = await send('', key);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'BAD_IDEMPOTENCY_KEY' }]);
    expect(await textsOf('a')).toEqual([]);
  });

  it('is refused from a visitor whom the server does not know, so that two of them never meet', async () => {
    const answers = [await sendAsVisitor('/visit', 'k'), await sendAsVisitor('/visit', 'k')];
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { code: 'IDEMPOTENCY_KEY_WITHOUT_ACCOUNT' },
      ]);
    }
    expect(await textsOf('a')).toEqual([]);
    expect((await sendAsVisitor('/visit', undefined)).status).toBe(201);
    expect(await textsOf('a')).toEqual(['visited']);
  });

  it('belongs to one visitor where the server knows the visitor', async () => {
    const [one, two] = [newId(), newId()];
    for (const ticket of [one, two, one, two]) {
      expect((await sendAsVisitor('/guest', 'k', ticket)).status).toBe(201);
    }
    expect(await textsOf('a')).toEqual([one, two]);
  });
});
