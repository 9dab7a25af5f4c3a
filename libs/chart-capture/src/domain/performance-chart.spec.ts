import { describe, expect, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { strategyId } from '@tapedeck/strategies/events';
import { chartFailures, type ChartFailure } from './chart-failure.ts';
import { chartCaptureDecider, retryDelayMs, type RecordFailure } from './decide.ts';
import type { ChartCaptureEvent } from './performance-chart.ts';

const { given } = deciderSpec(chartCaptureDecider);
const urlId = strategyId('S3LKflwr');
const now = '2026-03-01T10:00:00.000Z';
const later = (ms: number): string => new Date(Date.parse(now) + ms).toISOString();

const picture = {
  urlId,
  figures: 'rising',
  version: 'a'.repeat(32),
  width: 1_600,
  height: 1_000,
  takenAt: now,
  bytes: { png: 3, webp: 2, avif: 1 },
} as const;
const captured: ChartCaptureEvent = { type: 'ChartCaptured', data: picture };
const failed = (attempt: number, delayMs: number, figures = 'rising'): ChartCaptureEvent => ({
  type: 'ChartCaptureFailed',
  data: { urlId, figures, failure: 'timeout', attempt, retryAt: later(delayMs) },
});
const fails = (figures = 'rising', failure: ChartFailure = 'timeout'): RecordFailure => ({
  type: 'RecordFailure',
  urlId,
  figures,
  failure,
  now,
});

describe('a captured chart', () => {
  it('is recorded each time, also when the picture is the same: it is newer', () => {
    given(captured)
      .when({ type: 'RecordPicture', ...picture, takenAt: later(1) })
      .then({ type: 'ChartCaptured', data: { ...picture, takenAt: later(1) } });
  });
});

describe('a failed capture', () => {
  it('is tried again after 30 seconds, then after twice as long each time', () => {
    given().when(fails()).then(failed(1, 30_000));
    given(failed(1, 0)).when(fails()).then(failed(2, 60_000));
    given(failed(1, 0), failed(2, 0)).when(fails()).then(failed(3, 120_000));
  });

  it('counts from the beginning after a picture, and after the figures have changed', () => {
    given(failed(1, 0), failed(2, 0), captured).when(fails()).then(failed(1, 30_000));
    given(failed(1, 0), failed(2, 0))
      .when(fails('falling'))
      .then(failed(1, 30_000, 'falling'));
  });

  it.each(chartFailures)('of the kind %s is tried again within a day, however often it failed', (failure) => {
    const delays = [1, 5, 12, 40, 2_000].map((attempt) => retryDelayMs(failure, attempt));
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays[0]).toBe(30_000);
    expect(delays.at(-1)).toBeLessThanOrEqual(86_400_000);
    expect(delays.at(-1)).toBeGreaterThanOrEqual(3_600_000);
  });
});
