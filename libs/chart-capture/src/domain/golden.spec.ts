import { goldenEvents } from '@tapedeck/eventing/testing';
import { strategyId } from '@tapedeck/strategies/events';
import { chartCaptureEvents } from '../events.ts';
import type { ChartCaptureEvent } from './performance-chart.ts';

type Samples = {
  readonly [Type in ChartCaptureEvent['type']]: Extract<ChartCaptureEvent, { type: Type }>['data'];
};

const about = { urlId: strategyId('S3LKflwr'), figures: '3f1d6d1f3a10c8aa' };

goldenEvents(new URL('golden/', import.meta.url), chartCaptureEvents, {
  ChartCaptured: {
    ...about,
    version: '44a1628b8fc1894872553161a7c68f51',
    width: 1_600,
    height: 1_000,
    takenAt: '2026-03-01T10:00:00.000Z',
    bytes: { png: 91_204, webp: 40_112, avif: 22_480 },
  },
  ChartCaptureFailed: {
    ...about,
    failure: 'no-chart',
    attempt: 2,
    retryAt: '2026-03-01T10:01:00.000Z',
  },
} satisfies Samples);
