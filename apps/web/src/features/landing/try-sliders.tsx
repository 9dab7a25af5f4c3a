import { isReversed, type Bounds } from '@tapedeck/search-engine/contract';
import { useMemo, useState, type JSX } from 'react';
import { RangeHistogram } from '../../ui/range-histogram/range-histogram.tsx';
import { openBounds } from '../../ui/range-histogram/range-thumbs.ts';
import { exampleSize, filterExample, type ExampleBounds, type ExampleField } from './example-catalogue.ts';

const sliders = [
  {
    field: 'sharpe',
    label: 'Sharpe ratio',
    unit: '',
    shortName: 'Sharpe',
    colour: 'var(--m-sharpe)',
    step: 0.1,
    decimals: 2,
  },
  {
    field: 'drawdown',
    label: 'Max drawdown',
    unit: '%',
    shortName: 'drawdown',
    colour: 'var(--m-dd)',
    step: 1,
    decimals: 0,
  },
] as const;

const initialBounds: ExampleBounds = { sharpe: { low: 1, high: null }, drawdown: openBounds };

/** Sliders of the explorer on made-up strategies, to try before signing in. */
export const TrySliders = (): JSX.Element => {
  const [bounds, setBounds] = useState(initialBounds);
  const { total, histograms } = useMemo(() => filterExample(bounds), [bounds]);
  const change =
    (field: ExampleField) =>
    (changed: Bounds): void =>
      setBounds({ ...bounds, [field]: changed });
  return (
    <div className="card try">
      <div className="card-head">
        <h2>Try it: drag a marker</h2>
        <span className="push meta" role="status">
          <b>{total}</b> of {exampleSize} made-up strategies
        </span>
      </div>
      <div className="try-body">
        {sliders.map((slider) => (
          <RangeHistogram
            key={slider.field}
            {...slider}
            histogram={histograms[slider.field]}
            scaleName="linear"
            bounds={bounds[slider.field]}
            total={total}
            onBounds={change(slider.field)}
            isReversed={({ low, high }) => isReversed(low, high)}
          />
        ))}
      </div>
    </div>
  );
};
