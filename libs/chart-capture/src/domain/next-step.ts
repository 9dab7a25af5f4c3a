import type { ChartFailure } from './chart-failure.ts';
import type { Picture } from './performance-chart.ts';

/** What is known of a chart; times are ISO 8601 UTC. */
export type ChartState = Readonly<{
  /** What the catalogue says of the strategy now. */
  figures: string;
  /** `isThere`: its files were not lost. */
  picture: Readonly<Picture & { figures: string; isThere: boolean }> | null;
  failed: Readonly<{ failure: ChartFailure; retryAt: string; figures: string }> | null;
}>;

export type NextStep =
  | Readonly<{ step: 'show'; picture: Picture }>
  /** Shows the picture there is, and takes a new one meanwhile. */
  | Readonly<{ step: 'show-and-renew'; picture: Picture }>
  | Readonly<{ step: 'capture' }>
  /** The last try has failed a short while ago. */
  | Readonly<{ step: 'refuse'; failure: ChartFailure; retryAt: string }>;

/** What a request for the chart leads to. A picture of other figures than those of the catalogue is not shown. */
export const nextStep = (state: ChartState, now: number, maxAgeMs: number): NextStep => {
  const { figures, picture, failed } = state;
  const mayTry = failed === null || failed.figures !== figures || now >= Date.parse(failed.retryAt);
  if (picture?.isThere && picture.figures === figures) {
    const isOld = now - Date.parse(picture.takenAt) > maxAgeMs;
    return { step: isOld && mayTry ? 'show-and-renew' : 'show', picture };
  }
  if (mayTry) return { step: 'capture' };
  return { step: 'refuse', failure: failed.failure, retryAt: failed.retryAt };
};
