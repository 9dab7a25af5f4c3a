import type { ImportStatus } from '@tapedeck/strategies/contract';
import type { JSX } from 'react';
import { ErrorDetails } from '../../../ui/error-details.tsx';
import { formatBytes, formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { countImported, isBusy, isEmpty, progressOf, type UploadJob } from './upload-job.ts';

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

const Duplicates = ({ status }: Readonly<{ status: ImportStatus }>): JSX.Element => (
  <section className="upload-errors" aria-labelledby="upload-duplicates-title">
    <h2 id="upload-duplicates-title">
      {formatWhole(status.duplicateCount)} {status.duplicateCount === 1 ? 'strategy' : 'strategies'} more than
      once in the file: the last entry counts
    </h2>
    <ul>
      {status.duplicates.map(({ urlId, kept, dropped }) => (
        <li key={urlId}>
          <span className="mono">{urlId}</span>
          <span>
            {kept} was imported, not {dropped.join(', ')}
          </span>
        </li>
      ))}
    </ul>
    {status.duplicateCount > status.duplicates.length && (
      <p className="hint">
        Showing {status.duplicates.length} of {formatWhole(status.duplicateCount)}
      </p>
    )}
  </section>
);

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

const progressClass = (isFailed: boolean, isWarning: boolean): string => {
  if (isFailed) return 'progress progress--danger';
  return isWarning ? 'progress progress--warn' : 'progress';
};

const FileLine = ({ file }: Readonly<{ file: NonNullable<ImportStatus['file']> }>): JSX.Element => (
  <p className="hint upload-current">
    {file.name}, {formatBytes(file.size)}
  </p>
);

/** How far the upload is, and how it has ended. */
export const UploadProgress = ({ job }: Readonly<{ job: UploadJob }>): JSX.Element => {
  const { phase, message, details, status } = job;
  const percent = Math.round(progressOf(job));
  const isFailed = phase === 'error';
  const imported = status?.imported ?? null;
  const isWarning = isEmpty(job);
  const isPartial = isFailed && imported !== null && countImported(imported) > 0;
  return (
    <div className="upload-job">
      <div className="upload-line">
        <span className={isWarning ? 'upload-warning' : undefined}>
          {isWarning && <Icon name="warn" />}
          <span role="status">{message}</span>
        </span>
        {!isFailed && !isWarning && (
          <span className="meta" aria-hidden="true">
            {percent} %
          </span>
        )}
      </div>
      <div
        className={progressClass(isFailed, isWarning)}
        role="progressbar"
        aria-label="Strategy Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
      {details !== null && <ErrorDetails details={details} />}
      {isBusy(job) && (
        <p className="hint upload-current">
          {status?.currentStrategy ??
            (phase === 'uploading'
              ? 'Stay on this page until the file has arrived.'
              : 'You may leave this page: the upload continues on the server.')}
        </p>
      )}
      {status?.file && <FileLine file={status.file} />}
      {imported && (phase === 'complete' || isPartial) && <Counts counts={imported} />}
      {isPartial && (
        <div className="notice notice--danger">
          <Icon name="warn" />
          <div>These strategies stay in the catalogue. Importing them again changes nothing.</div>
        </div>
      )}
      {status && status.duplicateCount > 0 && <Duplicates status={status} />}
      {status && status.errorCount > 0 && <Errors status={status} />}
    </div>
  );
};
