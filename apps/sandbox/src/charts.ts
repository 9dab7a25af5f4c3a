import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const width = 256;
const height = 92;
const candleCount = 52;
const missingPerThousand = 30;

/** Numbers from 0 to 1, the same for the same seed. */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const digestOf = (urlId: string): Buffer => createHash('sha256').update(`chart ${urlId}`).digest();

/** A few strategies have no picture, so that the product's answer to missing pictures can be seen. */
export const hasPicture = (urlId: string): boolean =>
  digestOf(urlId).readUInt32BE(0) % 1_000 >= missingPerThousand;

type Candle = Readonly<{ open: number; close: number; high: number; low: number }>;

/** A random price series whose volatility and drift change from time to time. */
const candlesOf = (urlId: string): readonly Candle[] => {
  const next = numbersFrom(digestOf(urlId).readUInt32BE(4));
  const spread = (size: number): number => (next() + next() - 1) * size;
  const candles: Candle[] = [];
  let price = 0;
  let volatility = 0.6 + next();
  let drift = spread(0.5);
  for (let index = 0; index < candleCount; index++) {
    if (next() < 0.1) [volatility, drift] = [0.35 + next() * 1.9, spread(0.9)];
    const open = price;
    const close = open + drift + spread(volatility * 2);
    const wick = (): number => next() * volatility * 0.9;
    candles.push({ open, close, high: Math.max(open, close) + wick(), low: Math.min(open, close) - wick() });
    price = close;
  }
  return candles;
};

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/**
 * A candlestick chart as SVG, the same for the same id and legible on light and dark backgrounds. It shows neither
 * gain nor loss, because this host does not know the strategy's figures.
 */
export const chartPicture = (urlId: string): string => {
  const candles = candlesOf(urlId);
  const min = Math.min(...candles.map(({ low }) => low));
  const span = Math.max(...candles.map(({ high }) => high)) - min || 1;
  const step = width / candleCount;
  const y = (value: number): string => rounded(height - 9 - ((value - min) / span) * (height - 18));
  const wicks = candles.map(
    ({ high, low }, index) => `M${rounded((index + 0.5) * step)} ${y(high)}V${y(low)}`,
  );
  const bodies = (rising: boolean): string =>
    candles
      .map(({ open, close }, index) =>
        close >= open === rising
          ? `M${rounded(index * step + 0.9)} ${y(Math.max(open, close))}h${rounded(step - 1.8)}V${y(Math.min(open, close))}h-${rounded(step - 1.8)}z`
          : '',
      )
      .join('');
  const grid = [0.25, 0.5, 0.75].map((part) => `M0 ${rounded(part * height)}H${width}`).join('');
  const last = y(candles.at(-1)?.close ?? 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}"`,
    ` viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" fill="none">`,
    `<path d="${grid}" stroke="#8c867e" stroke-opacity=".18" stroke-width=".6"/>`,
    `<path d="M0 ${last}H${width}" stroke="#8c867e" stroke-opacity=".7" stroke-width=".8" stroke-dasharray="2 3"/>`,
    `<path d="${wicks.join('')}" stroke="#8c867e" stroke-width=".8"/>`,
    `<path d="${bodies(true)}" fill="#a9a39a"/>`,
    `<path d="${bodies(false)}" fill="#6f6a63"/></svg>\n`,
  ].join('');
};

/** The picture host: `GET /charts/{urlId}.svg`. */
export const registerChartRoutes = (app: FastifyInstance): void => {
  app.get<{ Params: { file: string } }>('/charts/:file', (request, reply) => {
    const urlId = /^([A-Za-z0-9]{8})\.svg$/.exec(request.params.file)?.[1];
    if (urlId === undefined || !hasPicture(urlId)) {
      return reply.status(404).header('cache-control', 'public, max-age=300').send();
    }
    const picture = chartPicture(urlId);
    const etag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`;
    void reply
      .header('cache-control', 'public, max-age=86400')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type('image/svg+xml').send(picture);
  });
};
