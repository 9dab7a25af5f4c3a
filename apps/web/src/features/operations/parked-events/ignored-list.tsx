import { maxReasonLength, type IgnoredEvent } from '@tapedeck/operations/contract';
import { useState, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { detailsOf, failureOf } from '../../../api/problem-text.ts';
import { useFocusAfterRemoval } from '../../../ui/browser/use-focus-after-removal.ts';
import { formatSecond, formatWhole } from '../../../ui/format.ts';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { parkedId } from './parked-address.ts';
import { useIgnoredEventsQuery, useRestoreEventMutation } from './parked-events.api.ts';

const titleId = 'ignored-title';

type RowProps = Readonly<{ event: IgnoredEvent; onRestore: () => void }>;

const Row = ({ event, onRestore }: RowProps): JSX.Element => {
  const { type, consumer, position, reason, ignoredBy, ignoredByName, ignoredAt, group, key } = event;
  return (
    <li>
      <div className="row-head">
        <b>{type}</b>
        <span className="meta">
          {consumer} · <span className="mono">{formatWhole(Number(position))}</span>
        </span>
        <button className="btn btn--sm push" type="button" onClick={onRestore}>
          Restore
        </button>
      </div>
      <p>
        {reason === null ? 'Its reason cannot be read any more' : `“${reason}”`}, {formatSecond(ignoredAt)},
        by <Link to={`/admin/members/${ignoredBy}`}>{ignoredByName ?? ignoredBy.slice(0, 8)}</Link>
      </p>
      <p className="meta row-more">
        <span>{group}</span>
        <span className="mono">{key}</span>
      </p>
    </li>
  );
};

/** What was ignored, by whom and why. */
export const IgnoredList = (): JSX.Element => {
  const { data, error, isFetching, refetch } = useIgnoredEventsQuery();
  const [restore] = useRestoreEventMutation();
  const [restored, setRestored] = useState<IgnoredEvent | null>(null);
  const container = useFocusAfterRemoval<HTMLElement>(titleId);
  return (
    <section ref={container} className="card" aria-labelledby={titleId}>
      <div className="card-head">
        <h2 id={titleId} tabIndex={-1}>
          Ignored
        </h2>
      </div>
      {!data && !error && <span className="skeleton card-skeleton" />}
      {!data && error && (
        <div className="card-pad">
          <RetryNotice
            text="The ignored events could not be loaded. Nothing was changed."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {data?.events.length === 0 && (
        <p className="card-pad meta" role="status">
          No event is ignored.
        </p>
      )}
      {data && (
        <ul className="rows" aria-label="Ignored events, the newest first">
          {data.events.map((event) => (
            <Row key={parkedId(event)} event={event} onRestore={() => setRestored(event)} />
          ))}
        </ul>
      )}
      <ReasonDialog
        isOpen={restored !== null}
        title="Restore the ignored event?"
        maxLength={maxReasonLength}
        action="Restore it"
        onConfirm={async (reason) => {
          const one = { consumer: restored?.consumer ?? '', position: restored?.position ?? '0' };
          return failureOf((await restore({ ...one, reason })).error, 'Nothing was changed: try again.');
        }}
        onClose={() => setRestored(null)}
      >
        <p>
          {restored?.kind === 'projection'
            ? `${restored.consumer} is rebuilt, so that the event takes its place in the order.`
            : `${restored?.consumer ?? ''} handles it now, after the later events of its key.`}
        </p>
      </ReasonDialog>
    </section>
  );
};
