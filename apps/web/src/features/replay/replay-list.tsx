import type { ReplaySummary } from '@tapedeck/replay/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { formatTime } from '../../ui/format.ts';
import { detailsOf, failureOf } from '../../api/problem-text.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { ListEnd } from '../../ui/list-end.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useReplaysInfiniteQuery } from './replay.api.ts';
import { ReplayStatus } from './replay-status.tsx';
import { counted, modes, targetText } from './replay-words.ts';

const Row = ({ replay }: Readonly<{ replay: ReplaySummary }>): JSX.Element => {
  const {
    replayId,
    mode,
    target,
    accountName,
    status,
    triedAt,
    triedByName,
    triedBy,
    appliedByName,
    appliedBy,
  } = replay;
  const by = status === 'tried' ? (triedByName ?? triedBy) : (appliedByName ?? appliedBy ?? '');
  return (
    <li>
      <Link className="row-name" to={`/admin/replays/${replayId}`}>
        {modes[mode].name}
      </Link>
      <ReplayStatus status={status} />
      <span className="replay-of">{targetText(target, accountName)}</span>
      <span className="meta">
        {counted(replay.events, 'event')}, {counted(replay.fields, 'field')}
      </span>
      <span className="meta">
        {by}, {formatTime(triedAt)}
      </span>
      {replay.reason !== null && <span className="replay-reason">“{replay.reason}”</span>}
    </li>
  );
};

/** The replays that were tried and applied, the newest first. */
export const ReplayList = (): JSX.Element => {
  const list = useReplaysInfiniteQuery(null);
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, refetch } = list;
  const { readOn, isReadingOn } = useReadOn(list);
  const replays = data?.pages.flatMap((page) => page.replays);
  return (
    <section className="card" aria-labelledby="replays-title" aria-busy={isFetching}>
      <div className="card-head">
        <h2 id="replays-title">Earlier replays</h2>
      </div>
      {error && !replays && (
        <div className="card-pad">
          <RetryNotice
            text="The list could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!replays && !error && <span className="skeleton card-skeleton" aria-hidden="true" />}
      {replays?.length === 0 && (
        <p className="card-pad meta">
          Nothing has been replayed yet. Dry runs are listed here too, with who made them.
        </p>
      )}
      {replays && replays.length > 0 && (
        <ol className="replay-list rows rows--columns">
          {replays.map((replay) => (
            <Row key={replay.replayId} replay={replay} />
          ))}
        </ol>
      )}
      {data && (hasNextPage || data.pages.length > 1) && (
        <div className="card-pad">
          <ListEnd
            label="Show more"
            hasMore={hasNextPage}
            isBusy={isReadingOn}
            problem={
              isFetchNextPageError
                ? failureOf(error, 'Earlier replays could not be loaded: try again.')
                : null
            }
            end="There are no earlier replays."
            onMore={readOn}
          />
        </div>
      )}
    </section>
  );
};
