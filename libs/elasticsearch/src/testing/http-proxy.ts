import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy in front of a server, which can hold back some of the requests. */
export type HttpProxy = Readonly<{
  url: string;
  /** Holds back the next requests of these paths, at most so many. */
  hold: (matches: (path: string) => boolean, max?: number) => void;
  /** Passes on the requests that were held back, and all others from now on. */
  release: () => void;
  /** Paths of the requests that are held back; those of aborted ones are not among them. */
  held: () => readonly string[];
  /** Paths of the requests that were passed on. */
  passed: readonly string[];
  /** The same with their methods, such as `GET /index`. */
  requests: readonly string[];
  close: () => Promise<void>;
}>;

/** Starts a proxy in front of the server of this address; it passes everything on until `hold` is called. */
export const startHttpProxy = async (target: string): Promise<HttpProxy> => {
  const passed: string[] = [];
  const requests: string[] = [];
  const held = new Map<ServerResponse, Readonly<{ path: string; pass: () => void }>>();
  let toHold = 0;
  let isToHold = (_path: string): boolean => false;

  const forward = (path: string, incoming: IncomingMessage, response: ServerResponse): void => {
    passed.push(path);
    const { method, headers } = incoming;
    requests.push(`${method} ${path}`);
    const outgoing = request(new URL(path, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const pass = (): void => forward(path, incoming, response);
    if (toHold === 0 || !isToHold(path)) return pass();
    toHold--;
    held.set(response, { path, pass });
    response.on('close', () => held.delete(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const release = (): void => {
    toHold = 0;
    for (const { pass } of held.values()) pass();
    held.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (matches, max = Infinity) => {
      [isToHold, toHold] = [matches, max];
    },
    release,
    held: () => [...held.values()].map(({ path }) => path),
    passed,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
