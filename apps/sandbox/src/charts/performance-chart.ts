import { html, type Html } from '../html.ts';
import { candlesOf, type Candle } from './candles.ts';
import { courseOf, type Course } from './course.ts';
import { scaleOf } from './scale.ts';
import type { Script } from './script.ts';
import { rounded } from './thumbnail.ts';

export const chartSize = { width: 800, height: 520 } as const;

const left = 20;
const right = 712;
const candleCount = 72;
const panels = {
  price: [64, 230],
  equity: [262, 400],
  drawdown: [414, 458],
  trades: 474,
  axis: 504,
} as const;
const maxTitle = 64;
const minLabelDistance = 15;

const colours = {
  gain: '#15803d',
  loss: '#c0362c',
  ink: '#1c1b19',
  quiet: '#6b665f',
  line: '#e4e0da',
} as const;

const x = (part: number): number => left + part * (right - left);

/** `+1,843.2 %`, `+12.4M %` */
export const percentText = (percent: number): string => {
  const [size, unit] = (
    [
      [1e9, 'B'],
      [1e6, 'M'],
      [1e4, 'K'],
    ] as const
  ).find(([limit]) => Math.abs(percent) >= limit) ?? [1, ''];
  const divisor = unit === 'K' ? 1_000 : size;
  const digits = Math.abs(percent) < 10 && unit === '' ? 2 : 1;
  const amount = Math.abs(percent / divisor).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${percent < 0 ? '−' : '+'}${amount}${unit} %`;
};

/** Round values need no decimals. */
const tickText = (percent: number): string => {
  const rounded = Math.round(percent * 100) / 100;
  return rounded === 0 ? '0 %' : percentText(rounded).replace(/\.0+(?= )/, '');
};

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;

type TextStyle = Readonly<{ size?: number; fill?: string; weight?: number; anchor?: 'start' | 'end' }>;

const label = (text: string, atX: number, atY: number, style: TextStyle = {}): Html => {
  const { size = 11, fill = colours.quiet, weight = 400, anchor = 'start' } = style;
  return html`<text
    x="${rounded(atX)}"
    y="${rounded(atY)}"
    font-size="${String(size)}"
    fill="${fill}"
    font-weight="${String(weight)}"
    text-anchor="${anchor}"
    >${text}</text
  >`;
};

const line = (atY: number, dash = ''): Html =>
  html`<path
    d="M${String(left)} ${rounded(atY)}H${String(right)}"
    stroke="${dash === '' ? colours.line : colours.quiet}"
    stroke-dasharray="${dash}"
  />`;

const pathOf = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([atX, atY], index) => `${index === 0 ? 'M' : 'L'}${rounded(atX)} ${rounded(atY)}`).join('');

const pricePanel = (candles: readonly Candle[]): Html => {
  const [top, bottom] = panels.price;
  const min = Math.min(...candles.map(({ low }) => low));
  const span = Math.max(...candles.map(({ high }) => high)) - min || 1;
  const y = (value: number): number => bottom - ((value - min) / span) * (bottom - top);
  const step = (right - left) / candles.length;
  const bars = candles.map(({ open, close, high, low }, index) => {
    const middle = left + (index + 0.5) * step;
    const colour = close >= open ? colours.gain : colours.loss;
    const height = Math.max(1, Math.abs(y(open) - y(close)));
    return html`<path
        d="M${rounded(middle)} ${rounded(y(high))}V${rounded(y(low))}"
        stroke="${colour}"
      /><rect
        x="${rounded(middle - step * 0.32)}"
        y="${rounded(Math.min(y(open), y(close)))}"
        width="${rounded(step * 0.64)}"
        height="${rounded(height)}"
        fill="${colour}"
      />`;
  });
  return html`${[0, 1, 2].map((part) => line(top + ((bottom - top) * part) / 2))}${bars}`;
};

const equityPanel = ({ equity }: Course, netPercent: number): Html => {
  const [top, bottom] = panels.equity;
  const { y, ticks } = scaleOf(equity, top, bottom);
  const last = equity.length - 1;
  const points = equity.map((value, index) => [x(index / last), y(value)] as const);
  const colour = netPercent < 0 ? colours.loss : colours.gain;
  const start = y(1);
  const end = y(equity[last] ?? 1);
  const labelled = ticks.filter((tick) => Math.abs(y(tick) - end) > minLabelDistance);
  const lines = labelled.map(
    (tick) => html`${line(y(tick))}${label(tickText((tick - 1) * 100), right + 8, y(tick) + 4)}`,
  );
  const area = `${pathOf(points)}L${rounded(right)} ${rounded(start)}L${rounded(left)} ${rounded(start)}Z`;
  return html`${lines}<path
      d="${area}"
      fill="url(#fill-${netPercent < 0 ? 'loss' : 'gain'})"
    />${line(start, '3 3')}<path
      d="${pathOf(points)}"
      fill="none"
      stroke="${colour}"
      stroke-width="2"
      stroke-linejoin="round"
    /><circle cx="${rounded(right)}" cy="${rounded(end)}" r="3.5" fill="${colour}" />${label(
      percentText(netPercent),
      right + 8,
      end + 4,
      { fill: colour, weight: 600, size: 12 },
    )}`;
};

const drawdownPanel = ({ drawdown }: Course, drawdownPercent: number | null): Html => {
  const [top, bottom] = panels.drawdown;
  const deepest = Math.max(...drawdown) || 1;
  const last = drawdown.length - 1;
  const points = drawdown.map(
    (value, index) => [x(index / last), top + (value / deepest) * (bottom - top)] as const,
  );
  const shown = drawdownPercent ?? deepest * 100;
  return html`<path d="${pathOf([[left, top], ...points, [right, top]])}Z" fill="url(#fill-fall)" />${line(
      top,
    )}${label(`−${shown.toFixed(1)} %`, right + 8, bottom, { fill: colours.loss })}`;
};

const tradesPanel = ({ won }: Course): Html => {
  const ticks = won.map((isWin, index) => {
    const at = rounded(x((index + 0.5) / won.length));
    return `M${at} ${String(panels.trades)}v${isWin ? '-7' : '7'}`;
  });
  return html`<path
      d="${ticks.join('')}"
      stroke="${colours.quiet}"
      stroke-opacity=".55"
    />${line(panels.trades)}`;
};

const gradient = (id: string, colour: string, from: string, to: string): Html =>
  html`<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="${colour}" stop-opacity="${from}" />
    <stop offset="1" stop-color="${colour}" stop-opacity="${to}" />
  </linearGradient>`;

const heading = (script: Script): Html => {
  const { title, author, symbol, timeframe, trades, won } = script;
  const what = [author && `by ${shortened(author, 40)}`, symbol, timeframe].filter(Boolean).join('  ·  ');
  const count = trades === null ? '' : `${trades.toLocaleString('en')} trades`;
  const share = trades && won !== null ? `  ·  ${((100 * won) / trades).toFixed(1)} % profitable` : '';
  return html`${label(shortened(title, maxTitle), left, 28, { size: 17, fill: colours.ink, weight: 600 })}${label(
    what,
    left,
    47,
    { size: 12 },
  )}${label(`${count}${share}`, chartSize.width - left, 47, { size: 12, anchor: 'end' })}`;
};

/** Candles, equity, drawdown and trades of a script as SVG; undefined when its result is unknown. */
export const performanceChart = (script: Script): Html | undefined => {
  const course = courseOf(script);
  const { netPercent } = script;
  if (!course || netPercent === null) return undefined;
  const { width, height } = chartSize;
  const captions = html`${label('Equity', left, panels.equity[0] - 10, { weight: 600 })}${label(
    script.from ?? 'start',
    left,
    panels.axis,
  )}${label(script.to ?? 'end', right, panels.axis, { anchor: 'end' })}`;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${String(width)}"
    height="${String(height)}"
    viewBox="0 0 ${String(width)} ${String(height)}"
    font-family="'IBM Plex Sans', 'DejaVu Sans', Arial, sans-serif"
  >
    <defs>
      ${gradient('fill-gain', colours.gain, '.28', '.03')}${gradient('fill-loss', colours.loss, '.03', '.28')}${gradient(
        'fill-fall',
        colours.loss,
        '.25',
        '.85',
      )}
    </defs>
    <rect width="${String(width)}" height="${String(height)}" fill="#ffffff" />
    ${heading(script)}${pricePanel(candlesOf(script.urlId, course, candleCount))}${captions}${equityPanel(
      course,
      netPercent,
    )}${drawdownPanel(course, script.drawdownPercent)}${tradesPanel(course)}
  </svg>`;
};
