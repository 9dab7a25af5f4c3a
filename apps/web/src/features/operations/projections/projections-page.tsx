import type { ProjectionsPage as Page, Consumer } from '@tapedeck/operations/contract';
import { useState, type JSX } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRepeat } from '../../../api/use-repeat.ts';
import { formatSecond, formatWhole } from '../../../ui/format.ts';
import { detailsOf } from '../../../api/problem-text.ts';
import { useOnceTrue } from '../../../ui/browser/use-once-true.ts';
import { isAnswered, LoadingPage } from '../../../ui/loading-page.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { JobsCard } from './jobs-card.tsx';
import { useProjectionsQuery, useTapeFiguresQuery } from './projections.api.ts';
import { ProjectionRow } from './projection-row.tsx';
import { addSample, mainKey, type Sample } from './rates.ts';
import { TapeCards } from './tape-card.tsx';

const pollMs = 1_500;

/** Adds each new answer while rendering, so that the rates are those of the answer that is shown. */
const useSamples = (page: Page | undefined): readonly Sample[] => {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  if (!page) return samples;
  const next = addSample(samples, page);
  if (next !== samples) setSamples(next);
  return next;
};

type ListProps = Readonly<{
  title: string;
  titleId: string;
  second: string;
  consumers: readonly Consumer[];
  samples: readonly Sample[];
}>;

/** The address says which one is open. */
const useOpened = (): readonly [string | null, (name: string | null) => void] => {
  const [params, setParams] = useSearchParams();
  return [
    params.get('open'),
    (name) => setParams(name === null ? {} : { open: name }, { replace: true, preventScrollReset: true }),
  ];
};

const List = ({ title, titleId, second, consumers, samples }: ListProps): JSX.Element => {
  const [opened, open] = useOpened();
  return (
    <section className="card proj-list" aria-labelledby={titleId}>
      <div className="card-head">
        <h2 id={titleId}>{title}</h2>
        <span className="meta">{consumers.length}</span>
      </div>
      <div className="proj-head" aria-hidden="true">
        <span>Name</span>
        <span>{second}</span>
        <span className="num">Position</span>
        <span className="num">Lag</span>
        <span className="num">Rate</span>
        <span>Host · process · lease</span>
        <span className="num">Parked</span>
      </div>
      {consumers.length === 0 && <p className="card-pad meta">None has run yet: start the projector.</p>}
      <ul>
        {consumers.map((consumer) => {
          const key = mainKey(consumer);
          return (
            <ProjectionRow
              key={key}
              consumer={consumer}
              samples={samples}
              isOpen={opened === key}
              onToggle={() => open(opened === key ? null : key)}
            />
          );
        })}
      </ul>
    </section>
  );
};

const Lists = ({ page }: Readonly<{ page: Page }>): JSX.Element => {
  const samples = useSamples(page);
  const sorted = page.consumers.toSorted((a, b) => a.name.localeCompare(b.name));
  const models = sorted.filter(({ kind }) => kind === 'projection');
  const others = sorted.filter(({ kind }) => kind !== 'projection');
  return (
    <>
      <List
        title="Read models"
        titleId="models-title"
        second="Version"
        consumers={models}
        samples={samples}
      />
      <List
        title="Reactions, effects and due dates"
        titleId="reactions-title"
        second="Kind"
        consumers={others}
        samples={samples}
      />
    </>
  );
};

/** `/admin/projections`: the consumers of the tape, how far they are, and what to do about it. */
export const ProjectionsPage = (): JSX.Element => {
  const query = useProjectionsQuery();
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  const figures = useTapeFiguresQuery();
  // The parts have their sizes then, and do not move any more.
  const isKnown = useOnceTrue(isAnswered(query) && isAnswered(figures));
  if (!isKnown) return <LoadingPage title="Projections" />;
  return (
    <main className="wrap member-page" id="main" aria-busy={!data && !error}>
      <div className="member-head">
        <h1>Projections</h1>
        {data && (
          <p className="meta">
            The tape ends at {formatWhole(Number(data.head))}
            {error && `. Not updated since ${formatSecond(data.readAt)}: the server does not answer.`}
          </p>
        )}
      </div>
      <TapeCards />
      {!data && !error && <span className="skeleton proj-skeleton" />}
      {!data && error && (
        <RetryNotice
          text="The projections could not be loaded. Nothing was changed."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data && <Lists page={data} />}
      <JobsCard />
    </main>
  );
};
