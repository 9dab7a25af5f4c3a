import type { SqlHistoryEntry } from '@tapedeck/sql-console/contract';
import type { JSX } from 'react';
import { formatTime, formatWhole } from '../../ui/format.ts';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useSqlHistoryQuery } from './sql-console.api.ts';

/** Longer than any statement may run. */
const lostAfterMs = 60_000;

/** A process that has died records no outcome. */
const isLost = ({ requestedAt }: SqlHistoryEntry): boolean =>
  Date.now() - Date.parse(requestedAt) > lostAfterMs;

const outcomeText = (entry: SqlHistoryEntry): string => {
  const { outcome, kind, rowCount, sqlState, milliseconds } = entry;
  if (outcome === 'running') return isLost(entry) ? 'no outcome was recorded' : 'running';
  if (outcome === 'failed') return `failed${sqlState === null ? '' : ` (${sqlState})`}`;
  const rows = kind === 'plan' ? 'plan' : `${formatWhole(rowCount ?? 0)} ${rowCount === 1 ? 'row' : 'rows'}`;
  const what = kind === 'committed' ? ' changed' : kind === 'changes' ? ' would change' : '';
  return `${rows}${what}${milliseconds === null ? '' : `, ${milliseconds} ms`}`;
};

/** The admin's own statements, the newest first. */
export const SqlHistory = ({ onChoose }: Readonly<{ onChoose: (text: string) => void }>): JSX.Element => {
  const { data, error, isFetching, refetch } = useSqlHistoryQuery();
  return (
    <section className="card" aria-labelledby="sql-history-title">
      <div className="card-head">
        <h2 id="sql-history-title">History</h2>
      </div>
      {error && !data && (
        <div className="card-pad">
          <RetryNotice
            text="The history could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !error && <span className="skeleton card-skeleton" aria-hidden="true" />}
      {data?.entries.length === 0 && (
        <p className="card-pad meta">Nothing yet. Every statement is recorded here, with its outcome.</p>
      )}
      {data && data.entries.length > 0 && (
        <ol className="sql-history">
          {data.entries.map((entry) => (
            <li key={entry.queryId}>
              <button
                className="sql-history-choice"
                type="button"
                disabled={entry.sqlQuery === null}
                onClick={() => entry.sqlQuery !== null && onChoose(entry.sqlQuery)}
              >
                <span className="mono sql-history-text">{entry.sqlQuery ?? 'forgotten'}</span>
                <span className="meta">
                  {formatTime(entry.requestedAt)}, {outcomeText(entry)}
                </span>
                {entry.reason !== null && <span className="meta">{entry.reason}</span>}
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};
