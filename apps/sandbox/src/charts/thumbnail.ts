import { anyCandles, candlesOf, type Candle } from './candles.ts';
import { courseOf } from './course.ts';
import type { Script } from './script.ts';

const width = 256;
const height = 92;
const candleCount = 52;

export const rounded = (value: number): string => String(Math.round(value * 10) / 10);

const pictureOf = (candles: readonly Candle[]): string => {
  const min = Math.min(...candles.map(({ low }) => low));
  const span = Math.max(...candles.map(({ high }) => high)) - min || 1;
  const step = width / candles.length;
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

/** Of a strategy whose result is unknown: its candles show neither gain nor loss. */
export const neutralThumbnail = (urlId: string): string => pictureOf(anyCandles(urlId, candleCount));

/** Candles as SVG, legible on light and dark backgrounds, which rise with a gain and fall with a loss. */
export const thumbnailOf = (script: Script): string => {
  const course = courseOf(script);
  return course ? pictureOf(candlesOf(script.urlId, course, candleCount)) : neutralThumbnail(script.urlId);
};
