import type { LastImport } from '@tapedeck/strategies/contract';
import type { JSX } from 'react';
import { formatTime, formatWhole } from '../../../ui/format.ts';
import { detailsOf } from '../../../api/problem-text.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { useLastImportsQuery } from './upload.api.ts';

const badges = {
  running: { name: 'running', kind: 'badge' },
  completed: { name: 'complete', kind: 'badge badge--ok' },
  failed: { name: 'failed', kind: 'badge badge--danger' },
  empty: { name: 'nothing imported', kind: 'badge badge--accent' },
} as const;

const badgeOf = ({ status, added, revised, unchanged }: LastImport): (typeof badges)[keyof typeof badges] =>
  badges[status === 'completed' && added + revised + unchanged === 0 ? 'empty' : status];

const countsText = ({ added, revised, unchanged, rejected }: LastImport): string =>
  [
    `${formatWhole(added)} added`,
    `${formatWhole(revised)} revised`,
    `${formatWhole(unchanged)} unchanged`,
    ...(rejected > 0 ? [`${formatWhole(rejected)} not imported`] : []),
  ].join(', ');

const Import = ({ one }: Readonly<{ one: LastImport }>): JSX.Element => (
  <li>
    <span className="row-name">{one.name}</span>
    <span className="meta">
      {one.requestedBy}, {formatTime(one.requestedAt)}
    </span>
    <span>{one.reason ?? (one.status === 'running' ? '' : countsText(one))}</span>
    <span className={badgeOf(one).kind}>{badgeOf(one).name}</span>
  </li>
);

const List = (): JSX.Element => {
  const { currentData, error, isFetching, refetch } = useLastImportsQuery();
  if (error && !currentData) {
    return (
      <div className="card-pad">
        <RetryNotice
          text="The last imports could not be loaded."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      </div>
    );
  }
  if (!currentData) return <span className="skeleton card-skeleton" aria-hidden="true" />;
  if (currentData.imports.length === 0) {
    return <p className="meta card-pad">Nothing has been imported yet. Upload a ZIP file to begin.</p>;
  }
  return (
    <ul className="imports rows rows--columns">
      {currentData.imports.map((one) => (
        <Import key={one.jobId} one={one} />
      ))}
    </ul>
  );
};

/** Who has imported what, by this screen or `npm run import`. */
export const LastImports = (): JSX.Element => (
  <section className="card" aria-labelledby="imports-title">
    <div className="card-head">
      <h2 id="imports-title">Last imports</h2>
    </div>
    <List />
  </section>
);
