import { createHash } from 'node:crypto';

const width = 256;
const height = 92;
const points = 96;
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

/** Some strategies have no picture, as at any picture host. */
export const hasPicture = (urlId: string): boolean =>
  digestOf(urlId).readUInt32BE(0) % 1_000 >= missingPerThousand;

type Curve = Readonly<{ values: readonly number[]; gained: boolean }>;

/** An account's worth over time: calm and stormy stretches, a drift, now and then a fall. */
const equityCurve = (urlId: string): Curve => {
  const next = numbersFrom(digestOf(urlId).readUInt32BE(4));
  const drift = (next() - 0.3) * 0.55;
  const values = [0];
  let storm = 0.6 + next();
  for (let index = 1; index < points; index++) {
    if (next() < 0.06) storm = 0.35 + next() * 1.9;
    const fall = next() < 0.03 ? next() * 6 : 0;
    // Trades are not made every day: the line rests now and then.
    const step = next() < 0.18 ? 0 : drift + (next() + next() - 1) * storm * 2 - fall;
    values.push((values[index - 1] ?? 0) + step);
  }
  return { values, gained: (values.at(-1) ?? 0) >= 0 };
};

/** Where the longest stay below an earlier high begins and ends. */
const longestFall = (values: readonly number[]): Readonly<{ from: number; to: number }> => {
  let longest = { from: 0, to: 0 };
  let high = 0;
  for (let index = 1; index < values.length; index++) {
    if ((values[index] ?? 0) > (values[high] ?? 0)) high = index;
    else if (index - high > longest.to - longest.from) longest = { from: high, to: index };
  }
  return longest;
};

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** A picture of an equity curve, the same for the same id; reads on light and on dark ground. */
export const chartPicture = (urlId: string): string => {
  const { values, gained } = equityCurve(urlId);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (index: number): string => rounded((index / (points - 1)) * width);
  const y = (value: number): string => rounded(height - 12 - ((value - low) / span) * (height - 24));
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  const base = y(0);
  const fall = longestFall(values);
  const ink = gained ? '#2f9d5f' : '#dc4b50';
  const grid = [0.25, 0.5, 0.75].map((part) => `M0 ${rounded(part * height)}H${width}`).join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}"`,
    ` viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" fill="none">`,
    `<linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${ink}" stop-opacity=".26"/>`,
    `<stop offset="1" stop-color="${ink}" stop-opacity=".03"/></linearGradient>`,
    `<path d="${grid}" stroke="#8c867e" stroke-opacity=".18" stroke-width=".6"/>`,
    `<path d="M0 ${base}H${width}" stroke="#8c867e" stroke-opacity=".7" stroke-width=".8" stroke-dasharray="2 3"/>`,
    `<path d="${line}V${base}H0Z" fill="url(#g)"/>`,
    `<path d="${line}" stroke="${ink}" stroke-width="1.5" stroke-linejoin="round"/>`,
    `<path d="M${x(fall.from)} ${height - 1}H${x(fall.to)}" stroke="#d9713a" stroke-width="2"/></svg>\n`,
  ].join('');
};
