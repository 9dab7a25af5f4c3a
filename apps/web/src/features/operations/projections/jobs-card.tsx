import type { JobsPage } from '@tapedeck/operations/contract';
import type { JSX } from 'react';
import { detailsOf } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { formatTime, formatWhole } from '../../../ui/format.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { useJobsQuery } from './projections.api.ts';

const pollMs = 10_000;

type Job = JobsPage['jobs'][number];

const badgeOf = ({ lastError, failures, isUnderWay }: Job): Readonly<{ text: string; kind: string }> => {
  if (lastError !== null) return { text: 'failed', kind: 'badge--danger' };
  if (failures > 0) return { text: `${formatWhole(failures)} failed in it`, kind: 'badge--danger' };
  return isUnderWay ? { text: 'under way', kind: 'badge--accent' } : { text: 'complete', kind: 'badge--ok' };
};

const JobRow = ({ job }: Readonly<{ job: Job }>): JSX.Element => {
  const { name, dueAt, lastSuccessAt, lastError, newestFailures } = job;
  const badge = badgeOf(job);
  return (
    <li>
      <div className="row-head">
        <b>{name}</b>
        <span className={`badge ${badge.kind} push`}>{badge.text}</span>
      </div>
      <p className="meta row-more">
        <span>
          {lastSuccessAt === null ? 'Never complete' : `Last complete run began ${formatTime(lastSuccessAt)}`}
        </span>
        <span>Due {formatTime(dueAt)}</span>
      </p>
      {lastError !== null && <p className="mono">{lastError}</p>}
      {newestFailures.length > 0 && (
        <details>
          <summary>What has failed</summary>
          <ul className="queue-parts" aria-label={`Failures of ${name}`}>
            {newestFailures.map(({ object, error, attempts, retryAt }) => (
              <li key={object}>
                <span className="mono">{object}</span>
                <span>{error}</span>
                <span className="meta">
                  {attempts} {attempts === 1 ? 'attempt' : 'attempts'}, again {formatTime(retryAt)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
};

/** What is repeated at intervals: when it was last complete, and what has failed in it. */
export const JobsCard = (): JSX.Element => {
  const query = useJobsQuery();
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <section className="card" aria-labelledby="jobs-title">
      <div className="card-head">
        <h2 id="jobs-title">Jobs</h2>
        {data && <span className="meta">{data.jobs.length}</span>}
      </div>
      {!data && error && (
        <div className="card-pad">
          <RetryNotice
            text="The jobs could not be loaded. Nothing was changed."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {data?.jobs.length === 0 && <p className="card-pad meta">None has run yet: start the projector.</p>}
      {data && (
        <ul className="rows" aria-labelledby="jobs-title">
          {data.jobs.map((job) => (
            <JobRow key={job.name} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
};
