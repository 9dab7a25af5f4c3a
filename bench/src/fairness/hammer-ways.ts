import { explorerRoutes } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { platformRoutes } from '@tapedeck/platform/contract';
import { boundName, facetFields } from '@tapedeck/search-engine/contract';

export type HammerOrder = Readonly<{
  way: HammerWay;
  origin: string;
  cookie: string;
  urlIds: readonly string[];
}>;

/** Number of answers by status. */
export type HammerCounts = Readonly<Record<string, number>>;

export type Sending = Readonly<{ method?: string; body?: string; slowly?: boolean }>;

/** Resolves when the answer has ended. */
export type Send = (path: string, sending?: Sending) => Promise<void>;

const everyBound = facetFields.flatMap((field) => [
  `${boundName('min', field)}=0.${'1'.repeat(30)}`,
  `${boundName('max', field)}=${'9'.repeat(12)}`,
]);
const maxFilter = (at: number): string =>
  `${explorerRoutes.explore}?${everyBound.join('&')}&search=${`word${at % 90} `.repeat(25).slice(0, 200).trim().replaceAll(' ', '+')}&limit=100`;

/** Each way: how many requests at once, and one of them. */
export const ways = {
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
  'change streams': [300, (send: Send) => send(platformRoutes.changes)],
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
