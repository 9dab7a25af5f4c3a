import { useMemo, useState, type JSX } from 'react';
import { RangeHistogram } from '../../ui/range-histogram/range-histogram.tsx';
import { openBounds, type Bounds } from '../../ui/range-histogram/range-thumbs.ts';
import { exampleSize, filterExample, type ExampleBounds, type ExampleField } from './example-catalogue.ts';

const sliders = [
  {
    field: 'sharpe',
    label: 'Sharpe ratio',
    unit: '',
    brief: 'Sharpe',
    colour: 'var(--m-sharpe)',
    step: 0.1,
    digits: 2,
  },
  {
    field: 'drawdown',
    label: 'Max drawdown',
    unit: '%',
    brief: 'drawdown',
    colour: 'var(--m-dd)',
    step: 1,
    digits: 0,
  },
] as const;

const atFirst: ExampleBounds = { sharpe: { low: 1, high: null }, drawdown: openBounds };

/** The explorer's slider, to be tried before signing in, on made-up figures. */
export const TrySliders = (): JSX.Element => {
  const [bounds, setBounds] = useState(atFirst);
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
          />
        ))}
      </div>
    </div>
  );
};
