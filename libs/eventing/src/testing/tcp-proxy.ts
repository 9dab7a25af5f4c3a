import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * What happens to bytes and ends of connections. `frozen`: they stay in the proxy, until it passes them on later; a new
 * connection is accepted and gets no answer. `cut`: connections are closed, new ones too.
 */
type ProxyMode = 'passing' | 'frozen' | 'cut';

/** A TCP proxy in front of a server, as a network that a test can break. */
export type TcpProxy = Readonly<{
  /** The address of the proxy, with everything else as in the address of the target. */
  url: string;
  /** Passes on everything, and first what it has kept. */
  pass: () => void;
  freeze: () => void;
  cut: () => void;
  /** Delivers what comes from now on this much later, in both directions. */
  delay: (ms: number) => void;
  /** The server for new connections. */
  retarget: (target: string) => void;
  close: () => Promise<void>;
}>;

/** One direction of a connection: delivers steps in order, each when it is due and only while the proxy passes. */
const createDirection = (mode: () => ProxyMode, delayMs: () => number) => {
  const steps: { dueAt: number; run: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deliver = (): void => {
    clearTimeout(timer);
    while (mode() === 'passing') {
      const [first] = steps;
      if (!first) return;
      const waitMs = first.dueAt - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(deliver, waitMs);
        return;
      }
      steps.shift();
      first.run();
    }
  };
  const add = (run: () => void): void => {
    steps.push({ dueAt: performance.now() + delayMs(), run });
    deliver();
  };
  return { add, deliver };
};

/**
 * Starts a proxy in front of the server of an address; it passes everything on until it is cut.
 *
 * @example
 * const proxy = await startTcpProxy({ target: database.url });
 * const store = createPostgresEventStore({ url: proxy.url, types });
 * proxy.freeze();
 */
export const startTcpProxy = async ({ target }: { readonly target: string }): Promise<TcpProxy> => {
  let mode: ProxyMode = 'passing';
  let delayMs = 0;
  let server = new URL(target);
  const sockets = new Set<Socket>();
  const deliverAll = new Set<() => void>();

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // An error is followed by `close`, which is passed on.
    socket.on('error', () => {});
  };
  const forward = (from: Socket, to: Socket): void => {
    const { add, deliver } = createDirection(
      () => mode,
      () => delayMs,
    );
    deliverAll.add(deliver);
    from.on('data', (bytes) => add(() => void to.write(bytes)));
    from.on('end', () => add(() => to.end()));
    from.on('close', () =>
      add(() => {
        deliverAll.delete(deliver);
        to.destroySoon();
      }),
    );
  };
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    track(client);
    if (mode === 'cut') return client.destroy();
    const upstream = connect({ host: server.hostname, port: Number(server.port), allowHalfOpen: true });
    track(upstream);
    forward(client, upstream);
    forward(upstream, client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);

  const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    pass: () => {
      mode = 'passing';
      delayMs = 0;
      [...deliverAll].forEach((deliver) => deliver());
    },
    freeze: () => {
      mode = 'frozen';
    },
    cut: () => {
      mode = 'cut';
      destroyAll();
    },
    delay: (ms) => {
      mode = 'passing';
      delayMs = ms;
    },
    retarget: (to) => {
      server = new URL(to);
    },
    close: async () => {
      mode = 'cut';
      destroyAll();
      listener.close();
      await once(listener, 'close');
    },
  };
};
