import type { JSX } from 'react';

export type PerformancePaneProps = Readonly<{ urlId: string }>;

/** The content of the tab Performance. */
export const PerformancePane = (_props: PerformancePaneProps): JSX.Element => (
  <div className="chart-none">
    <div className="tape" aria-hidden="true" />
    <p>Performance chart not available</p>
  </div>
);
