import type { Teaser } from '@tapedeck/explorer/contract';
import { useEffect, useMemo, useState, useSyncExternalStore, type JSX } from 'react';
import { sendRequest, type ApiError } from '../../../api/request.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { formatWhole } from '../../../ui/format.ts';
import { RangeHistogram } from '../../../ui/range-histogram/range-histogram.tsx';
import { createTeaserStore, type TeaserStore } from './teaser-store.ts';
import { snapped } from './teaser-counts.ts';
import { TrySkeleton } from './try-skeleton.tsx';

const sliders = [
  {
    field: 'sharpeRatio',
    label: 'Sharpe ratio',
    unit: '',
    shortName: 'Sharpe',
    colour: 'var(--m-sharpe)',
    decimals: 2,
  },
  {
    field: 'maxDrawdownPercent',
    label: 'Max drawdown',
    unit: '%',
    shortName: 'drawdown',
    colour: 'var(--m-dd)',
    decimals: 0,
  },
] as const;

const Total = ({ store, all }: Readonly<{ store: TeaserStore; all: number }>): JSX.Element => {
  const { total } = useSyncExternalStore(store.subscribe, store.view);
  return (
    <span className="push" role="status">
      <b>{formatWhole(total)}</b> <span className="meta">of {formatWhole(all)} strategies</span>
    </span>
  );
};

/** The width of a bin, so that an arrow key moves from edge to edge. */
const stepOf = (edges: readonly number[]): number => (edges[2] ?? 2) - (edges[1] ?? 1);

const Sliders = ({ store, teaser }: Readonly<{ store: TeaserStore; teaser: Teaser }>): JSX.Element => {
  const { bounds, histograms, total } = useSyncExternalStore(store.subscribe, store.committed);
  return (
    <div className="try-body">
      {sliders.map((slider) => (
        <RangeHistogram
          key={slider.field}
          {...slider}
          step={stepOf(teaser[slider.field].edges)}
          histogram={histograms[slider.field]}
          scaleName="linear"
          bounds={bounds[slider.field]}
          total={total}
          brush={store.brushes[slider.field]}
          normalise={(moved) => snapped(teaser[slider.field].edges, moved)}
          onBounds={(chosen) => store.commit(slider.field, chosen)}
        />
      ))}
    </div>
  );
};

type Answer = Readonly<{ teaser?: Teaser; error?: ApiError; isFetching: boolean }>;

const useTeaser = (url: string): Answer => {
  const [answer, setAnswer] = useState<Answer>({ isFetching: true });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const { data, error } = (await sendRequest({ url })).answer;
      // The server checks what it sends against the contract.
      if (isCurrent) setAnswer({ ...(error ? { error } : { teaser: data as Teaser }), isFetching: false });
    };
    void load();
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each attempt sends the request again
  }, [url, attempt]);
  useRepeat(answer, {
    onRepeat: () => {
      setAnswer((last) => ({ ...last, isFetching: true }));
      setAttempt((count) => count + 1);
    },
  });
  return answer;
};

/** Two sliders of the explorer on the real catalogue: each filters the other from one table of counts. */
export const TeaserCard = ({ url }: Readonly<{ url: string }>): JSX.Element => {
  const { teaser, error } = useTeaser(url);
  const store = useMemo(() => teaser && createTeaserStore(teaser), [teaser]);
  if (!teaser || !store) {
    return (
      <>
        <TrySkeleton />
        {error && (
          <p className="try-note" role="status">
            The figures are not available at the moment. They are loaded again automatically.
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <div className="card-head">
        <h3>Try it: drag a marker</h3>
        {teaser.demo && (
          <span className="badge" title="This catalogue is filled with demo strategies">
            demo data
          </span>
        )}
        <Total store={store} all={teaser.total} />
      </div>
      <Sliders store={store} teaser={teaser} />
    </>
  );
};
