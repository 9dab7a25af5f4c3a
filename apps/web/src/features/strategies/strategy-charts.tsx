import { Tabs } from 'radix-ui';
import { useState, type JSX, type ReactNode } from 'react';

type ChartImageProps = Readonly<{ urlId: string; title: string; chartImageOrigin: string }>;

const ChartImage = ({ urlId, title, chartImageOrigin }: ChartImageProps): JSX.Element => {
  const [isMissing, setMissing] = useState(false);
  if (chartImageOrigin === '' || isMissing) {
    return (
      <div className="chart-none">
        <div className="tape" aria-hidden="true" />
        <p>There is no chart of this strategy.</p>
      </div>
    );
  }
  return (
    <img
      className="chart-image"
      src={`${chartImageOrigin}/${encodeURIComponent(urlId)}.svg`}
      alt={`Chart of ${title}`}
      decoding="async"
      onError={() => setMissing(true)}
    />
  );
};

export type StrategyChartsProps = ChartImageProps &
  Readonly<{
    /** The captured chart. It is captured when the page opens, though it is hidden then. */
    performance: ReactNode;
  }>;

/** The chart of the strategy, and its performance. */
export const StrategyCharts = ({ performance, ...props }: StrategyChartsProps): JSX.Element => (
  <section className="card chart-card" aria-label="Charts">
    <Tabs.Root defaultValue="strategy">
      <Tabs.List className="tabs" aria-label="Chart">
        <Tabs.Trigger className="tab" value="strategy">
          Strategy
        </Tabs.Trigger>
        <Tabs.Trigger className="tab" value="performance">
          Performance
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content className="chart-pane" value="strategy">
        <ChartImage key={props.urlId} {...props} />
      </Tabs.Content>
      <Tabs.Content className="chart-pane" value="performance" forceMount>
        {performance}
      </Tabs.Content>
    </Tabs.Root>
  </section>
);
