import type { Decider } from '@tapedeck/eventing/core';
import type { StrategyId } from '@tapedeck/strategies/events';
import type { ChartFailure } from './chart-failure.ts';
import {
  evolve,
  noChart,
  type ChartCaptured,
  type ChartCaptureEvent,
  type PerformanceChart,
} from './performance-chart.ts';

export type RecordPicture = Readonly<{ type: 'RecordPicture' }> & ChartCaptured['data'];
export type RecordFailure = Readonly<{
  type: 'RecordFailure';
  urlId: StrategyId;
  figures: string;
  failure: ChartFailure;
  /** ISO 8601 UTC. */
  now: string;
}>;
export type ChartCaptureCommand = RecordPicture | RecordFailure;

const firstDelayMs = 30_000;
const hourMs = 3_600_000;
/** What the site says of a strategy changes more slowly than whether it answers. */
const maxDelayMs: Readonly<Record<ChartFailure, number>> = {
  'not-on-site': 24 * hourMs,
  'no-chart': 24 * hourMs,
  timeout: hourMs,
  unreachable: hourMs,
};

/** Twice as long after each failure. */
export const retryDelayMs = (failure: ChartFailure, attempt: number): number =>
  Math.min(firstDelayMs * 2 ** Math.min(attempt - 1, 20), maxDelayMs[failure]);

const recordFailure = (
  command: RecordFailure,
  { failed }: PerformanceChart,
): readonly ChartCaptureEvent[] => {
  const { urlId, figures, failure, now } = command;
  const attempt = failed?.figures === figures ? failed.attempt + 1 : 1;
  const retryAt = new Date(Date.parse(now) + retryDelayMs(failure, attempt)).toISOString();
  return [{ type: 'ChartCaptureFailed', data: { urlId, figures, failure, attempt, retryAt } }];
};

const decide = (command: ChartCaptureCommand, state: PerformanceChart): readonly ChartCaptureEvent[] => {
  switch (command.type) {
    case 'RecordPicture': {
      const { type: _type, ...data } = command;
      return [{ type: 'ChartCaptured', data }];
    }
    case 'RecordFailure':
      return recordFailure(command, state);
    default:
      return command satisfies never;
  }
};

export const chartCaptureDecider: Decider<PerformanceChart, ChartCaptureCommand, ChartCaptureEvent> = {
  initialState: noChart,
  decide,
  evolve,
};
