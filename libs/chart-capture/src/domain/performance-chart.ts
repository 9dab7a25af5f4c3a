import { defineEvents, type DomainEvent } from '@tapedeck/eventing/core';
import type { StrategyId } from '@tapedeck/strategies/events';
import type { ChartFailure } from './chart-failure.ts';

export type Picture = Readonly<{
  /** Of its content: another picture has another version. */
  version: string;
  width: number;
  height: number;
  /** ISO 8601 UTC. */
  takenAt: string;
}>;

/** `figures`: what the catalogue said of the strategy at that time, as a fingerprint. */
type About = Readonly<{ urlId: StrategyId; figures: string }>;

export type ChartCaptured = DomainEvent<
  'ChartCaptured',
  About & Picture & { bytes: Readonly<{ png: number; webp: number; avif: number }> }
>;
export type ChartCaptureFailed = DomainEvent<
  'ChartCaptureFailed',
  About & {
    failure: ChartFailure;
    /** Counts the failures since the last picture, or since the figures have changed. */
    attempt: number;
    /** Until then no further capture is tried. ISO 8601 UTC. */
    retryAt: string;
  }
>;
export type ChartCaptureEvent = ChartCaptured | ChartCaptureFailed;

export const chartCaptureEvents = defineEvents<ChartCaptureEvent>({
  ChartCaptured: { version: 1 },
  ChartCaptureFailed: { version: 1 },
});

export const performanceChartStream = (urlId: StrategyId): string => `performanceChart-${urlId}`;

export type PerformanceChart = Readonly<{
  picture: Picture | null;
  /** The last failure after the picture. */
  failed: Readonly<{ attempt: number; figures: string; retryAt: string; failure: ChartFailure }> | null;
}>;

export const noChart: PerformanceChart = { picture: null, failed: null };

export const evolve = (state: PerformanceChart, event: ChartCaptureEvent): PerformanceChart => {
  switch (event.type) {
    case 'ChartCaptured': {
      const { version, width, height, takenAt } = event.data;
      return { picture: { version, width, height, takenAt }, failed: null };
    }
    case 'ChartCaptureFailed': {
      const { attempt, figures, retryAt, failure } = event.data;
      return { picture: state.picture, failed: { attempt, figures, retryAt, failure } };
    }
    default:
      return event satisfies never;
  }
};
