/** Why a chart could not be captured, as far as it is about the strategy or the charting site. */
export const chartFailures = ['not-on-site', 'no-chart', 'timeout', 'unreachable'] as const;
export type ChartFailure = (typeof chartFailures)[number];
