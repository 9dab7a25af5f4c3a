import { Counter, Gauge, Histogram } from 'prom-client';

export const captures = new Counter({
  name: 'chart_captures_total',
  help: 'Captures of charts that have ended, by outcome.',
  labelNames: ['outcome'],
});

export const captureSeconds = new Histogram({
  name: 'chart_capture_seconds',
  help: 'From the start of a capture, without its time in the queue, to its pictures.',
  buckets: [0.25, 0.5, 1, 2, 5, 10, 20],
});

export const captureQueue = new Gauge({
  name: 'chart_capture_queue',
  help: 'Captures, by whether they wait or run.',
  labelNames: ['state'],
});

export const browserStarts = new Counter({
  name: 'chart_browser_starts_total',
  help: 'Browsers that were started.',
});

export const browserEnds = new Counter({
  name: 'chart_browser_ends_total',
  help: 'Browsers that were replaced or have ended, by the reason.',
  labelNames: ['reason'],
});
