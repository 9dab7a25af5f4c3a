import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import { listenError } from '@tapedeck/platform/metrics';
import { captureAddress, CaptureRequest, type CaptureAnswer } from '../capturer/wire.ts';

export type CaptureServerOptions = Readonly<{
  port: number;
  host: string;
  secret: string;
  capture: (urlId: string) => Promise<CaptureAnswer>;
  logger: Logger;
}>;

export type CaptureServer = Readonly<{ port: number; close: () => Promise<void> }>;

const maxRequestBytes = 1_024;

const isAuthorized = ({ headers }: IncomingMessage, secret: string): boolean => {
  const [given, wanted] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${secret}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
};

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const part of request as AsyncIterable<Buffer>) {
    text += part.toString('utf8');
    if (text.length > maxRequestBytes) throw new Error('The request is too large.');
  }
  return JSON.parse(text) as unknown;
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  { secret, capture, logger }: CaptureServerOptions,
): Promise<void> => {
  if (request.method !== 'POST' || request.url !== captureAddress) return void response.writeHead(404).end();
  if (!isAuthorized(request, secret)) return void response.writeHead(401).end();
  const body = await readBody(request).catch(() => undefined);
  const parsed = CaptureRequest.safeParse(body);
  if (!parsed.success) return void response.writeHead(400).end();
  try {
    const found = await capture(parsed.data.urlId);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  } catch (error) {
    logger.error({ err: messageOf(error) }, 'a capture has failed without an answer');
    response.writeHead(500).end();
  }
};

/** `POST /captures` for the API alone, which knows the secret. */
export const openCaptureServer = async (options: CaptureServerOptions): Promise<CaptureServer> => {
  const { port, host } = options;
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    void answer(request, response, options).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(listenError(error, { port, host, portName: 'CAPTURE_PORT', hostName: 'CAPTURE_HOST' })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
