import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createTestApp } from '../testing/http-app.ts';
import { Public } from './routes.ts';

@Controller('api/echo')
class EchoController {
  @Public()
  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

const timeouts = {
  headersMs: 300,
  requestMs: 600,
  uploadMs: 600,
  minUploadBytes: 1_000,
  keepAliveMs: 900,
  checkIntervalMs: 20,
};
const pieceIntervalMs = 50;

let app: NestFastifyApplication;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  app = await createTestApp({ modules: [EchoModule], timeouts });
  await app.listen(0, '127.0.0.1');
  port = Number(new URL(await app.getUrl()).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

type Closed = Readonly<{ received: string; afterMs: number }>;

/** Sends the text a piece at a time until the server closes the connection. */
const sendSlowly = async (text: string, pieceLength: number): Promise<Closed> => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.setEncoding('utf8').on('data', (data: string) => (received += data));
  // Writing to a connection that the server has just closed.
  socket.on('error', () => {});
  const startedAt = performance.now();
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  for (let at = 0; at < text.length && socket.writable && received === ''; at += pieceLength) {
    socket.write(text.slice(at, at + pieceLength));
    await Promise.race([closed, setTimeout(pieceIntervalMs)]);
  }
  await closed;
  return { received, afterMs: performance.now() - startedAt };
};

const head = (length: number): string =>
  `POST /api/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

describe('a connection', () => {
  it('is closed when it sends nothing', async () => {
    const { afterMs } = await sendSlowly('', 1);
    expect(afterMs).toBeGreaterThanOrEqual(timeouts.headersMs - timeouts.checkIntervalMs);
  });

  it('is closed when its headers come too slowly', async () => {
    const { received, afterMs } = await sendSlowly(head(2), 1);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(afterMs).toBeLessThan((head(2).length * pieceIntervalMs) / 2);
  });

  it('is closed when a body comes too slowly', async () => {
    const body = JSON.stringify('x'.repeat(500));
    const { received, afterMs } = await sendSlowly(head(body.length) + body, head(body.length).length);
    expect(received).toMatch(/^HTTP\/1\.1 200 |^HTTP\/1\.1 201 /);
    expect(afterMs).toBeGreaterThan(timeouts.keepAliveMs);
    const slow = await sendSlowly(head(10_000) + 'x'.repeat(10_000), 150);
    expect(slow.received).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow.afterMs).toBeGreaterThanOrEqual(timeouts.requestMs - timeouts.checkIntervalMs);
  });

  it('stays open between two requests, for longer than headers may take', async () => {
    const { received, afterMs } = await sendSlowly(
      `GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      1_000,
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(afterMs).toBeGreaterThan(timeouts.keepAliveMs - timeouts.checkIntervalMs);
  });
});
