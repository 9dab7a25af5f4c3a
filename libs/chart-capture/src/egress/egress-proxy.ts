import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Transform, type Duplex } from 'node:stream';
import { destinationOf, type Destinations } from './destinations.ts';

/** A proxy for the page of one capture: what does not go through it does not leave the browser. */
export type EgressProxy = Readonly<{
  url: string;
  /** What was refused, as `method host:port`. */
  refused: () => readonly string[];
  /** Ends all connections. */
  close: () => Promise<void>;
}>;

export type EgressProxyOptions = Readonly<{
  destinations: Destinations;
  /** In both directions together; then all connections end. */
  maxBytes: number;
  onTooMuch: () => void;
}>;

const idleMs = 15_000;
const connectMs = 5_000;
const maxRefusedNames = 100;

/** Of one connection, not of the message. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const endToEnd = (headers: IncomingMessage['headers']): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

const parsed = (target: string): URL | undefined => (URL.canParse(target) ? new URL(target) : undefined);

type Counter = Readonly<{ add: (bytes: number) => void; sockets: Set<Duplex> }>;

const createCounter = ({ maxBytes, onTooMuch }: EgressProxyOptions): Counter => {
  let total = 0;
  const sockets = new Set<Duplex>();
  return {
    sockets,
    add: (bytes) => {
      const wasWithin = total <= maxBytes;
      total += bytes;
      if (total <= maxBytes) return;
      for (const socket of sockets) socket.destroy();
      if (wasWithin) onTooMuch();
    },
  };
};

const counted = ({ add }: Counter): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      add(chunk.length);
      done(null, chunk);
    },
  });

const track = <Stream extends Duplex>(socket: Stream, { sockets }: Counter): Stream => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  socket.on('error', () => socket.destroy());
  return socket;
};

/** `GET http://host/path`, which is sent on to the address that was checked. */
const forward = async (
  request: IncomingMessage,
  response: ServerResponse,
  { destinations }: EgressProxyOptions,
  counter: Counter,
): Promise<boolean> => {
  const url = parsed(request.url ?? '');
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (!url || url.protocol !== 'http:' || url.username !== '' || !isReading) return false;
  const destination = destinationOf(url);
  const address = await destinations.addressOf(destination);
  if (address === undefined) return false;
  const upstream = httpRequest({
    host: address,
    port: destination.port,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...endToEnd(request.headers), host: url.host },
    setHost: false,
    agent: false,
    timeout: idleMs,
  });
  upstream.on('socket', (socket: Socket) => track(socket, counter));
  upstream.on('timeout', () => upstream.destroy());
  upstream.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    answer.on('error', () => response.destroy());
    answer.pipe(counted(counter)).pipe(response);
  });
  response.once('close', () => upstream.destroy());
  upstream.end();
  return true;
};

/** `CONNECT host:port`: bytes in both directions, for https only. */
const tunnel = async (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { destinations }: EgressProxyOptions,
  counter: Counter,
): Promise<boolean> => {
  const url = parsed(`https://${request.url ?? ''}`);
  if (!url || url.pathname !== '/' || url.username !== '') return false;
  const destination = destinationOf(url);
  const address = await destinations.addressOf(destination);
  if (address === undefined) return false;
  const upstream = track(connect({ host: address, port: destination.port, timeout: connectMs }), counter);
  upstream.once('connect', () => {
    upstream.setTimeout(idleMs);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    socket.pipe(counted(counter)).pipe(upstream);
    upstream.pipe(counted(counter)).pipe(socket);
  });
  upstream.on('timeout', () => upstream.destroy());
  upstream.once('close', () => socket.destroy());
  socket.once('close', () => upstream.destroy());
  return true;
};

/**
 * Opens a proxy on a free port of this machine. It resolves each host once, checks all its addresses, and connects to the one
 * it has checked; each redirect is a request of its own. WebSockets over http and every other protocol are refused.
 */
export const openEgressProxy = async (options: EgressProxyOptions): Promise<EgressProxy> => {
  const counter = createCounter(options);
  const refused: string[] = [];
  const noteRefusal = ({ method = '', url = '' }: IncomingMessage): void => {
    const target = parsed(method === 'CONNECT' ? `https://${url}` : url);
    if (refused.length < maxRefusedNames) refused.push(`${method} ${target?.host ?? 'an invalid address'}`);
  };
  const forwardOrRefuse = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await forward(request, response, options, counter).catch(() => false)) return;
    noteRefusal(request);
    response.writeHead(403, { 'content-length': '0' }).end();
  };
  const tunnelOrRefuse = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (await tunnel(request, socket, head, options, counter).catch(() => false)) return;
    noteRefusal(request);
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  };
  const server = createServer((request, response) => void forwardOrRefuse(request, response));
  server.on('connect', (request, socket: Duplex, head: Buffer) => {
    void tunnelOrRefuse(request, track(socket, counter), head);
  });
  server.on('upgrade', (request, socket: Duplex) => {
    noteRefusal(request);
    socket.destroy();
  });
  server.on('connection', (socket) => track(socket, counter));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of counter.sockets) socket.destroy();
      await closed;
    },
  };
};
