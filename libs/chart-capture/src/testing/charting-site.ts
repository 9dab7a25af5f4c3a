import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { createSocket } from 'node:dgram';
import { gzipSync } from 'node:zlib';

/** Something on this machine that no page may reach. */
export type Canary = Readonly<{ port: number; contacts: () => number; close: () => Promise<void> }>;

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

/** Counts connections by TCP and packets by UDP on one port. */
export const openCanary = async (): Promise<Canary> => {
  let contacts = 0;
  const tcp = createTcpServer((socket) => {
    contacts++;
    socket.destroy();
  });
  const port = await listen(tcp);
  const udp = createSocket('udp4', () => {
    contacts++;
  });
  await new Promise<void>((resolve) => {
    udp.bind(port, '127.0.0.1', resolve);
  });
  return {
    port,
    contacts: () => contacts,
    close: async () => {
      udp.close();
      await new Promise((resolve) => {
        tcp.close(resolve);
      });
    },
  };
};

export type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** Its colours depend on the id, and there are many of them. */
export const chartOf = (id: string, style = ''): string => {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return `<svg data-chart="performance" style="display:block;${style}" width="600" height="300" xmlns="http://www.w3.org/2000/svg">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="hsl(${hue} 80% 40%)"/><stop offset="1" stop-color="white"/></linearGradient></defs>
<rect width="600" height="300" fill="url(#g)"/><path d="M0 ${hue}L600 ${300 - hue}" stroke="black"/></svg>`;
};

const html = (body: string, head = ''): string =>
  `<!doctype html><html><head><title>A strategy</title>${head}</head><body>${body}</body></html>`;

export const page =
  (body: string, head = ''): Page =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(body, head));

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Page =>
  (_request, response) =>
    void response.writeHead(code, headers).end();

export const redirectTo = (location: string): Page => status(302, { location });

/** Sends without an end. */
export const endless: Page = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const write = (): void => {
    if (response.destroyed) return;
    if (response.write(`<!-- ${'x'.repeat(65_536)} -->`)) setImmediate(write);
    else response.once('drain', write);
  };
  response.on('error', () => undefined);
  write();
};

/** 1 GB of text in 1 MB. */
export const gzipBomb = (): Page => {
  const bytes = gzipSync(Buffer.alloc(1_000_000_000, ' '), { level: 1 });
  return (_request, response) =>
    void response
      .writeHead(200, {
        'content-type': 'text/html',
        'content-encoding': 'gzip',
        'content-length': bytes.length,
      })
      .end(bytes);
};

export type ChartingSite = Readonly<{
  origin: string;
  port: number;
  /** How often the page of a strategy was asked for. */
  visits: (id: string) => number;
  close: () => Promise<void>;
}>;

/** A charting site with a page for each strategy; those that are not named have an ordinary chart. */
export const openChartingSite = async (pages: Readonly<Record<string, Page>> = {}): Promise<ChartingSite> => {
  const visits = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = /^\/script\/(\w{8})\/$/.exec(request.url ?? '')?.[1];
    if (id === undefined) return void response.writeHead(404).end();
    visits.set(id, (visits.get(id) ?? 0) + 1);
    (pages[id] ?? page(chartOf(id)))(request, response);
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    visits: (id) => visits.get(id) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
