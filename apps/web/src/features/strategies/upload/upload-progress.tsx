import type { ImportStatus } from '@tapedeck/strategies/contract';
import type { JSX } from 'react';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { isBusy, progressOf, type UploadJob } from './upload-job.ts';

const maxShown = 10;

const Errors = ({ status }: Readonly<{ status: ImportStatus }>): JSX.Element => (
  <section className="upload-errors" aria-labelledby="upload-errors-title">
    <h2 id="upload-errors-title">{formatWhole(status.errorCount)} not imported</h2>
    <ul>
      {status.errors.slice(0, maxShown).map(({ strategy, error }, index) => (
        <li key={`${strategy} ${index}`}>
          <span className="mono">{strategy}</span>
          <span>{error}</span>
        </li>
      ))}
    </ul>
    {status.errorCount > maxShown && (
      <p className="hint">
        Showing last {maxShown} of {formatWhole(status.errorCount)} errors
      </p>
    )}
  </section>
);

const countImported = ({ added, revised, unchanged }: NonNullable<ImportStatus['imported']>): number =>
  added + revised + unchanged;

const Counts = ({ counts }: Readonly<{ counts: NonNullable<ImportStatus['imported']> }>): JSX.Element => (
  <dl className="upload-counts">
    {(
      [
        ['Added', counts.added],
        ['Revised', counts.revised],
        ['Unchanged', counts.unchanged],
        ['Not imported', counts.rejected],
      ] as const
    ).map(([name, count]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{formatWhole(count)}</dd>
      </div>
    ))}
  </dl>
);

/** How far the upload is, and how it has ended. */
export const UploadProgress = ({ job }: Readonly<{ job: UploadJob }>): JSX.Element => {
  const { phase, message, status } = job;
  const percent = Math.round(progressOf(job));
  const isFailed = phase === 'error';
  const imported = status?.imported ?? null;
  const isPartial = isFailed && imported !== null && countImported(imported) > 0;
  return (
    <div className="upload-job">
      <div className="upload-line">
        <span role="status">{message}</span>
        {!isFailed && (
          <span className="meta" aria-hidden="true">
            {percent} %
          </span>
        )}
      </div>
      <div
        className={isFailed ? 'progress progress--danger' : 'progress'}
        role="progressbar"
        aria-label="Strategy upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
      {isBusy(job) && (
        <p className="hint upload-current">
          {status?.currentStrategy ??
            (phase === 'uploading'
              ? 'Stay on this page until the file has arrived.'
              : 'You may leave this page: the upload continues on the server.')}
        </p>
      )}
      {imported && (phase === 'complete' || isPartial) && <Counts counts={imported} />}
      {isPartial && (
        <div className="notice notice--danger">
          <Icon name="warn" />
          <div>These strategies stay in the catalogue. Importing them again changes nothing.</div>
        </div>
      )}
      {status && status.errorCount > 0 && <Errors status={status} />}
    </div>
  );
};
