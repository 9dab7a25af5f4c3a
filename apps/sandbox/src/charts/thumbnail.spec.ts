import { describe, expect, it } from '@jest/globals';
import { isOnSite } from './random.ts';
import type { Script } from './script.ts';
import { neutralThumbnail, thumbnailOf } from './thumbnail.ts';

const ids = Array.from({ length: 4_000 }, (_, index) => `Ab${String(index).padStart(6, '0')}`);

const script = (urlId: string, netPercent: number | null): Script => ({
  urlId,
  title: 'A strategy',
  author: null,
  symbol: null,
  timeframe: null,
  netPercent,
  drawdownPercent: 20,
  trades: 80,
  won: 40,
  profitFactor: 1.3,
  from: null,
  to: null,
});

/** The heights at which the first candle opens and the last one closes; they grow downwards. */
const endsOf = (picture: string): readonly [first: number, last: number] => {
  const bodies = [...picture.matchAll(/<path d="([^"]*)" fill="(#\w+)"/g)].flatMap(([, path = '', fill]) =>
    [...path.matchAll(/M([\d.]+) (-?[\d.]+)h[\d.]+V(-?[\d.]+)h/g)].map(([, x, top, bottom]) => {
      const isRising = fill === '#a9a39a';
      const [high, low] = [Number(top), Number(bottom)];
      return { x: Number(x), open: isRising ? low : high, close: isRising ? high : low };
    }),
  );
  const inOrder = bodies.toSorted((a, b) => a.x - b.x);
  return [inOrder[0]?.open ?? NaN, inOrder.at(-1)?.close ?? NaN];
};

describe('a thumbnail', () => {
  it('is the same for the same id and differs for another', () => {
    for (const pictureOf of [neutralThumbnail, (id: string) => thumbnailOf(script(id, 40))]) {
      expect(pictureOf('S3LKflwr')).toBe(pictureOf('S3LKflwr'));
      expect(pictureOf('S3LKflwr')).not.toBe(pictureOf('s3LKflwr'));
    }
  });

  it('rises with a gain and falls with a loss', () => {
    for (const id of ids.slice(0, 300)) {
      const [start, end] = endsOf(thumbnailOf(script(id, 35)));
      expect(end).toBeLessThan(start);
      const [high, low] = endsOf(thumbnailOf(script(id, -35)));
      expect(low).toBeGreaterThan(high);
    }
  });

  it('is neutral without a known result', () => {
    expect(thumbnailOf(script('S3LKflwr', null))).toBe(neutralThumbnail('S3LKflwr'));
  });

  it('is small, and contains neither text nor invalid numbers', () => {
    for (const id of ids.slice(0, 200))
      for (const picture of [neutralThumbnail(id), thumbnailOf(script(id, 300_000_000))]) {
        expect(picture).toMatch(/^<svg [^>]+>.*<\/svg>\n$/s);
        expect(picture).not.toMatch(/NaN|Infinity|undefined|<text/);
        expect(picture.length).toBeLessThan(4_000);
      }
  });
});

describe('a strategy', () => {
  it('is missing on the site for about 3 % of the ids', () => {
    const missing = ids.filter((id) => !isOnSite(id)).length / ids.length;
    expect(missing).toBeGreaterThan(0.02);
    expect(missing).toBeLessThan(0.04);
  });
});
