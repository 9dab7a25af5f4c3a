// Draws the demo video, one frame per call: runs in the page that demo.mjs opens.
const [width, height] = [1_120, 770];
const ink = {
  ground: '#120f0d',
  surface: '#1a1714',
  sunken: '#0d0b09',
  line: '#34302c',
  edge: '#4a4540',
  field: '#79736b',
};
const words = {
  text: '#eae8e3',
  second: '#b3afa8',
  third: '#98938c',
  accent: '#f8b533',
  gain: '#4dc477',
  loss: '#f66c6d',
};
const [columns, rows, runs] = [18, 10, 180];

const resultAt = (column, row) => {
  const hill = (x, y, w, h) => h * Math.exp(-((column - x) ** 2 / w + (row - y) ** 2 / (w / 2.6)));
  return hill(11.4, 2.9, 17, 1) + hill(4.2, 6.4, 7, 0.48) + 0.06 * Math.sin(column * 5.3 + row * 2.9);
};
const cells = Array.from({ length: runs }, (_, run) => {
  const [column, row] = [run % columns, Math.floor(run / columns)];
  const result = resultAt(column, row);
  return {
    column,
    row,
    result,
    settings: `${20 + column * 4} · ${(5 - row * 0.25).toFixed(2)}`,
    gain: result * 402 - 24,
    drawdown: 31 - result * 16 + 2 * Math.sin(run),
    factor: 0.86 + result * 1.2,
  };
});
const highest = Math.max(...cells.map(({ result }) => result));

const candles = (() => {
  let price = 100;
  return Array.from({ length: 74 }, (_, at) => {
    const open = price;
    price += 1.7 * Math.sin(at / 5.2) + 1.1 * Math.sin(at * 1.7) + 0.55;
    const reach = 1 + Math.abs(Math.sin(at * 3.1)) * 2.2;
    return { open, close: price, low: Math.min(open, price) - reach, high: Math.max(open, price) + reach };
  });
})();

const canvas = Object.assign(document.createElement('canvas'), { width, height });
const context = canvas.getContext('2d');
document.body.append(canvas);

const font = (size, weight = 400, family = 'Plex Sans') => `${weight} ${size}px "${family}"`;
const text = (
  content,
  x,
  y,
  { colour = words.text, size = 18, weight = 400, align = 'left', mono = false, alpha = 1 } = {},
) => {
  context.globalAlpha = alpha;
  context.font = font(size, weight, mono ? 'Plex Mono' : 'Plex Sans');
  context.fillStyle = colour;
  context.textAlign = align;
  context.fillText(content, x, y);
  context.globalAlpha = 1;
};
const box = (x, y, w, h, fill, stroke, radius = 8) => {
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, w, h, radius);
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = 1;
    context.stroke();
  }
};
const line = (x1, y1, x2, y2, colour, thick = 1) => {
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
};
const ease = (share) => {
  const x = Math.min(1, Math.max(0, share));
  return x * x * (3 - 2 * x);
};
const mix = (from, to, share) =>
  `rgb(${[0, 1, 2].map((at) => Math.round(from[at] + (to[at] - from[at]) * share)).join(' ')})`;

const steps = [
  { at: 0, name: 'Open a strategy' },
  { at: 6, name: 'Choose what may vary' },
  { at: 12, name: 'Let it run' },
  { at: 23, name: 'Keep the evidence' },
];
const end = 30;

/** The tape with its playhead, and the name of the step. */
const drawTape = (time) => {
  const y = height - 86;
  context.fillStyle = ink.surface;
  context.fillRect(0, y, width, 86);
  line(0, y + 0.5, width, y + 0.5, ink.field);
  for (let x = 0; x < width; x += 8) line(x + 0.5, y, x + 0.5, y + (x % 40 === 0 ? 10 : 5), ink.field);
  const placeOf = (seconds) => 40 + (seconds / end) * (width - 80);
  for (const { at, name } of steps) {
    const isNow = time >= at && time < (steps[steps.findIndex((step) => step.at === at) + 1]?.at ?? end + 1);
    line(placeOf(at), y - 10, placeOf(at), y + 16, ink.field, 2);
    text(name, placeOf(at), y + 50, {
      colour: isNow ? words.text : words.third,
      size: 17,
      weight: isNow ? 600 : 400,
    });
  }
  line(placeOf(time), y - 16, placeOf(time), y + 24, words.accent, 3);
};

const chart = { x: 40, y: 40, w: 1_040, h: 600 };

const drawChart = (time, narrow) => {
  const w = chart.w - narrow * 440;
  box(chart.x, chart.y, w, chart.h, ink.surface, ink.line);
  text('BTCUSDT · 4h', chart.x + 20, chart.y + 34, { mono: true, size: 16, colour: words.second });
  const shown = Math.min(candles.length, Math.floor(16 + time * 24));
  const scale = (price) => chart.y + chart.h - 60 - (price - 92) * 6.4;
  context.save();
  context.beginPath();
  context.rect(chart.x, chart.y, w, chart.h);
  context.clip();
  candles.slice(0, shown).forEach(({ open, close, low, high }, at) => {
    const x = chart.x + 30 + at * 13.4;
    const colour = close >= open ? words.gain : words.loss;
    line(x, scale(low), x, scale(high), colour, 1);
    context.fillStyle = colour;
    context.fillRect(
      x - 4,
      Math.min(scale(open), scale(close)),
      8,
      Math.max(2, Math.abs(scale(open) - scale(close))),
    );
  });
  context.restore();
};

const lanes = [
  { name: 'Entry channel', from: 20, to: 88, step: '4', ticks: 18, decimals: 0 },
  { name: 'ATR multiple', from: 2.75, to: 5, step: '0.25', ticks: 10, decimals: 2 },
];

const drawPanel = (time, shown) => {
  if (shown <= 0) return;
  const [x, y, w, h] = [chart.x + chart.w - 420 * shown, chart.y, 420, chart.h];
  box(x, y, w, h, ink.surface, ink.edge);
  text('Inputs of the strategy', x + 24, y + 44, { size: 21, weight: 600 });
  lanes.forEach(({ name, from, to, step, ticks, decimals }, at) => {
    const top = y + 96 + at * 170;
    const chosen = ease((time - 7 - at * 1.6) / 1.2);
    box(
      x + 24,
      top - 18,
      20,
      20,
      chosen > 0 ? words.accent : ink.sunken,
      chosen > 0 ? words.accent : ink.field,
      4,
    );
    if (chosen > 0) {
      context.strokeStyle = '#1f1306';
      context.lineWidth = 2.4;
      context.beginPath();
      context.moveTo(x + 29, top - 8);
      context.lineTo(x + 33, top - 4);
      context.lineTo(x + 40, top - 13);
      context.stroke();
    }
    text(name, x + 58, top, { size: 18, weight: 500 });
    text(`step ${step}`, x + w - 24, top, { size: 16, colour: words.third, align: 'right' });
    const [left, right] = [x + 30, x + w - 30];
    line(left, top + 46, right, top + 46, ink.field);
    for (let tick = 0; tick < ticks; tick++) {
      const place = left + ((right - left) * tick) / (ticks - 1);
      const isIn = tick / (ticks - 1) <= chosen;
      line(
        place,
        top + 38,
        place,
        top + 54,
        isIn && chosen > 0 ? words.accent : ink.field,
        isIn && chosen > 0 ? 3 : 1,
      );
    }
    text(from.toFixed(decimals), left, top + 84, { size: 15, colour: words.third });
    text(to.toFixed(decimals), right, top + 84, { size: 15, colour: words.third, align: 'right' });
  });
  const ready = ease((time - 10.4) / 0.6);
  box(x + 24, y + h - 132, w - 48, 54, mix([39, 36, 32], [248, 181, 51], ready));
  text(ready > 0.5 ? 'Start 180 runs' : 'Start', x + w / 2, y + h - 98, {
    size: 19,
    weight: 600,
    align: 'center',
    colour: ready > 0.5 ? '#1f1306' : words.third,
  });
  text('18 channels × 10 multiples', x + w / 2, y + h - 42, {
    size: 16,
    colour: words.second,
    align: 'center',
    alpha: ready,
  });
};

const bestOf = (done) => [...done].sort((one, other) => other.result - one.result);

const drawList = (x, y, w, list, count) => {
  const places = [x, x + w * 0.52, x + w * 0.78, x + w];
  ['Settings', 'P&L', 'DD', 'PF'].forEach((name, at) =>
    text(name, places[at], y, { size: 15, weight: 500, colour: words.second, align: at ? 'right' : 'left' }),
  );
  list.slice(0, count).forEach(({ settings, gain, drawdown, factor }, at) => {
    const top = y + 14 + at * 36;
    line(x, top, x + w, top, ink.line);
    const weight = at === 0 ? 600 : 400;
    text(settings, places[0], top + 25, { size: 16, mono: true, weight: at === 0 ? 500 : 400 });
    const sign = gain < 0 ? '−' : '+';
    text(`${sign}${Math.abs(gain).toFixed(1)}%`, places[1], top + 25, {
      size: 16,
      weight,
      align: 'right',
      colour: gain < 0 ? words.loss : words.gain,
    });
    text(`${drawdown.toFixed(1)}%`, places[2], top + 25, { size: 16, weight, align: 'right' });
    text(factor.toFixed(2), places[3], top + 25, { size: 16, weight, align: 'right' });
  });
};

const drawSweep = (count, isOver) => {
  box(chart.x, chart.y, chart.w, chart.h, ink.surface, ink.line);
  text('BTCUSDT · 4h', chart.x + 24, chart.y + 38, { mono: true, size: 16, colour: words.second });
  text(
    isOver ? '180 runs, all kept' : `Run ${Math.min(count + 1, runs)} of ${runs}`,
    chart.x + chart.w - 24,
    chart.y + 38,
    {
      size: 17,
      align: 'right',
      colour: words.second,
    },
  );
  const [left, top, w, h] = [chart.x + 60, chart.y + 72, 590, 420];
  const [cw, ch] = [w / columns, h / rows];
  const best = bestOf(cells.slice(0, count))[0];
  cells.forEach((cell, run) => {
    const [x, y] = [left + cell.column * cw, top + cell.row * ch];
    if (run >= count) {
      context.strokeStyle = ink.edge;
      context.setLineDash([3, 3]);
      context.strokeRect(x + 2.5, y + 2.5, cw - 5, ch - 5);
      context.setLineDash([]);
      return;
    }
    const share = Math.max(0, Math.min(1, cell.result / highest));
    context.fillStyle = mix([36, 31, 26], [248, 181, 51], share);
    context.fillRect(x + 1, y + 1, cw - 2, ch - 2);
  });
  if (best) {
    context.strokeStyle = words.text;
    context.lineWidth = 3;
    context.strokeRect(left + best.column * cw, top + best.row * ch, cw, ch);
  }
  text('20', left, top + h + 28, { size: 15, colour: words.third });
  text('Entry channel', left + w / 2, top + h + 28, { size: 15, colour: words.third, align: 'center' });
  text('88', left + w, top + h + 28, { size: 15, colour: words.third, align: 'right' });
  context.save();
  context.translate(left - 18, top + h / 2);
  context.rotate(-Math.PI / 2);
  text('ATR multiple', 0, 0, { size: 15, colour: words.third, align: 'center' });
  context.restore();
  const listed = isOver ? bestOf(cells) : bestOf(cells.slice(0, count));
  drawList(chart.x + 690, chart.y + 92, 326, listed, 12);
};

const drawEvidence = (time) => {
  drawSweep(runs, true);
  const shown = ease((time - 25) / 1.2);
  if (shown <= 0) return;
  context.globalAlpha = shown;
  box(chart.x + 60, chart.y + 537, 590, 48, ink.sunken, ink.edge);
  context.globalAlpha = 1;
  text('The neighbours of the best run hold up, too.', chart.x + 80, chart.y + 567, {
    size: 19,
    weight: 500,
    alpha: shown,
  });
};

globalThis.draw = (time) => {
  context.fillStyle = ink.ground;
  context.fillRect(0, 0, width, height);
  if (time < 12) {
    const panel = ease((time - 4.6) / 1);
    drawChart(time, panel);
    drawPanel(time, panel);
  } else if (time < 23) drawSweep(Math.floor(ease((time - 12.2) / 10.2) * runs), false);
  else drawEvidence(time);
  drawTape(time);
  return canvas;
};
globalThis.scene = { width, height, seconds: end };
