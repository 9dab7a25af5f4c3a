// The process of one member who sends as much as possible, in one of several ways, until told to stop.
import { Agent, request, type ClientRequest } from 'node:http';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { newId } from '@tapedeck/kernel';

export type HammerOrder = Readonly<{
  way: HammerWay;
  origin: string;
  cookie: string;
  urlIds: readonly string[];
}>;

/** Number of answers by status. */
export type HammerCounts = Readonly<Record<string, number>>;

const counts: Record<string, number> = {};
const tally = (name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
let stopped = false;

type Sending = Readonly<{ method?: string; body?: string; slowly?: boolean }>;

const slowByteMs = 500;

const sendSlowly = (outgoing: ClientRequest, body: string): void => {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < body.length && !outgoing.destroyed) outgoing.write(body[sent++]);
    else clearInterval(timer);
  }, slowByteMs);
};

const headersOf = ({ origin, cookie }: HammerOrder, method: string, body: string | undefined) => ({
  cookie,
  origin,
  ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  ...(method === 'GET' ? {} : { 'idempotency-key': newId() }),
});

/** Resolves when the answer has ended. */
const sender =
  (order: HammerOrder, agent: Agent) =>
  (path: string, { method = 'GET', body, slowly = false }: Sending = {}): Promise<void> =>
    new Promise((resolve) => {
      const options = { agent, method, headers: headersOf(order, method, body) };
      const outgoing = request(new URL(path, order.origin), options, (response) => {
        tally(String(response.statusCode));
        response.resume();
        response.once('close', () => resolve());
      });
      outgoing.once('error', () => {
        tally('connection lost');
        resolve();
      });
      if (slowly && body !== undefined) sendSlowly(outgoing, body);
      else outgoing.end(body);
    });

type Send = ReturnType<typeof sender>;

const everyBound = [
  'total_pandl_percent',
  'max_drawdown_percent',
  'profit_factor',
  'sharpe_ratio',
  'likes',
  'views',
  'comments',
  'code_lines',
].flatMap((field) => [`min_${field}=0.${'1'.repeat(30)}`, `max_${field}=${'9'.repeat(12)}`]);
const maxFilter = (at: number): string =>
  `${explorerRoutes.explore}?${everyBound.join('&')}&search=${`word${at % 90} `.repeat(25).slice(0, 200).trim().replaceAll(' ', '+')}&limit=100`;

/** Each way: how many requests at once, and one of them. */
const ways = {
  writes: [
    32,
    (send: Send, order: HammerOrder, at: number) => {
      const urlId = order.urlIds[at % order.urlIds.length] ?? '';
      const tags = [`tag ${at}`];
      return at % 3 === 0
        ? send(favouriteRoutes.list, { method: 'POST', body: JSON.stringify({ urlId, tags }) })
        : send(favouriteRoutes.tags(urlId), { method: 'PUT', body: JSON.stringify({ tags }) });
    },
  ],
  exports: [8, (send: Send) => send(explorerRoutes.export)],
  'brush slices': [
    32,
    (send: Send, _order: HammerOrder, at: number) =>
      send(`${explorerRoutes.brush}?active=likes&min_views=${at % 977}`),
  ],
  'longest filters': [32, (send: Send, _order: HammerOrder, at: number) => send(maxFilter(at))],
  'saved searches': [16, (send: Send) => send('/api/member/searches')],
  'change streams': [300, (send: Send) => send(explorerRoutes.changes)],
  'slow bodies': [
    100,
    (send: Send) =>
      send(favouriteRoutes.list, {
        method: 'POST',
        body: JSON.stringify({ urlId: 'x'.repeat(200) }),
        slowly: true,
      }),
  ],
} as const satisfies Record<
  string,
  readonly [number, (send: Send, order: HammerOrder, at: number) => Promise<void>]
>;

export type HammerWay = keyof typeof ways | 'everything at once';
export const hammerWays = [...Object.keys(ways), 'everything at once'] as readonly HammerWay[];

/** So that a refusal at once does not make this process itself take all of the machine. */
const pauseMs = 5;

const run = async (order: HammerOrder): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const send = sender(order, agent);
  const chosen = order.way === 'everything at once' ? Object.values(ways) : [ways[order.way]];
  let at = 0;
  const loops = chosen.flatMap(([atOnce, one]) =>
    Array.from({ length: atOnce }, async () => {
      while (!stopped) {
        await one(send, order, at++);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  await Promise.race([
    Promise.all(loops),
    new Promise<void>((resolve) => {
      process.once('message', () => {
        stopped = true;
        agent.destroy();
        resolve();
      });
    }),
  ]);
};

if (process.send) {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (order: HammerOrder) => {
    void run(order).then(() => process.send?.(counts, () => process.exit(0)));
  });
}
