import { maxReasonLength, waitingStates, type ParkedEvent } from '@tapedeck/operations/contract';
import { useState, type JSX } from 'react';
import { useReadOn } from '../../../api/use-read-on.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { detailsOf, failureOf } from '../../../api/problem-text.ts';
import { succeeded } from '../../../api/succeeded.ts';
import { useFocusAfterRemoval } from '../../../ui/browser/use-focus-after-removal.ts';
import { useCommands } from '../../../ui/browser/shortcuts.ts';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ListEnd } from '../../../ui/list-end.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { GroupsCard } from './groups-card.tsx';
import { filterOf, parkedId, readAddress, type ParkedAddress } from './parked-address.ts';
import {
  useIgnoreEventMutation,
  useParkedEventsInfiniteQuery,
  useRetryEventsMutation,
} from './parked-events.api.ts';
import { WaitingRow } from './waiting-row.tsx';

const pollMs = 3_000;
const titleId = 'waiting-title';

export type WaitingListProps = Readonly<{
  address: ParkedAddress;
  onChange: (changes: Partial<ParkedAddress>) => void;
}>;

type FiltersProps = WaitingListProps & Readonly<{ consumers: readonly string[] }>;

const Filters = ({ address, onChange, consumers }: FiltersProps): JSX.Element => (
  <div className="parked-filters">
    <div className="chips" role="group" aria-label="States">
      {waitingStates.map((state) => (
        <button
          key={state}
          className="chip"
          type="button"
          aria-pressed={address.state === state}
          onClick={() => onChange({ state: address.state === state ? null : state, event: null })}
        >
          {state}
        </button>
      ))}
    </div>
    <label className="asof-field">
      <span className="meta">Of</span>
      <span className="select">
        <select
          value={address.consumer ?? ''}
          onChange={({ target }) =>
            onChange({ consumer: target.value === '' ? null : target.value, group: null, event: null })
          }
        >
          <option value="">all</option>
          {[...new Set([...consumers, ...(address.consumer ? [address.consumer] : [])])]
            .toSorted((a, b) => a.localeCompare(b))
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
        <Icon name="down" small />
      </span>
    </label>
    {address.group !== null && (
      <button className="chip chip--filter" type="button" onClick={() => onChange({ group: null })}>
        {address.group}
        <Icon name="x" small />
      </button>
    )}
  </div>
);

const isFiltered = ({ consumer, state, group }: ParkedAddress): boolean =>
  consumer !== null || state !== null || group !== null;

/** The event that the address names now: it is newer than the last rendering when keys are pressed fast. */
const chosenNow = (events: readonly ParkedEvent[]): ParkedEvent | undefined => {
  const { event } = readAddress(new URLSearchParams(window.location.search));
  return events.find((one) => parkedId(one) === event);
};

type KeysProps = Readonly<{
  events: readonly ParkedEvent[];
  choose: (event: ParkedEvent) => void;
  retry: (event: ParkedEvent) => void;
  ignore: (event: ParkedEvent) => void;
}>;

const useKeys = ({ events, choose, retry, ignore }: KeysProps): void => {
  const step = (direction: 1 | -1): void => {
    const chosen = chosenNow(events);
    const index = chosen ? events.indexOf(chosen) + direction : 0;
    const next = events[index];
    if (!next) return;
    document.getElementById(parkedId(next))?.scrollIntoView({ block: 'nearest' });
    choose(next);
  };
  const withChosen = (act: (event: ParkedEvent) => void): void => {
    const chosen = chosenNow(events);
    if (chosen) act(chosen);
  };
  useCommands([
    { id: 'parked-next', key: 'j', label: 'Next event', perform: () => step(1) },
    { id: 'parked-previous', key: 'k', label: 'Previous event', perform: () => step(-1) },
    { id: 'parked-retry', key: 'r', label: 'Retry the event', perform: () => withChosen(retry) },
    { id: 'parked-ignore', key: 'i', label: 'Ignore the event', perform: () => withChosen(ignore) },
  ]);
};

const Hint = (): JSX.Element => (
  <p className="meta parked-hint">
    <kbd className="key">j</kbd> <kbd className="key">k</kbd> choose <kbd className="key">r</kbd> retry{' '}
    <kbd className="key">i</kbd> ignore
  </p>
);

/** The events that wait, grouped by their errors above. */
export const WaitingList = ({ address, onChange }: WaitingListProps): JSX.Element => {
  const board = useParkedEventsInfiniteQuery(filterOf(address));
  const { readOn, isReadingOn } = useReadOn(board);
  useRepeat(board, { onRepeat: () => void board.refetch(), intervalMs: pollMs });
  const [retry] = useRetryEventsMutation();
  const [ignore] = useIgnoreEventMutation();
  const [ignored, setIgnored] = useState<ParkedEvent | null>(null);
  const container = useFocusAfterRemoval<HTMLElement>(titleId);
  const pages = board.currentData?.pages;
  const newest = pages?.at(-1);
  const events = pages?.flatMap((page) => page.events) ?? [];
  const retryOne = async ({ consumer, position }: ParkedEvent): Promise<void> => {
    const answer = await retry({ consumer, position });
    if (!succeeded(answer, 'Nothing was retried: try again.')) return;
    const text = answer.data?.events === 1 ? 'The event is tried again.' : 'The event is no longer waiting.';
    showToast({ kind: 'ok', title: consumer, text });
  };
  const askToIgnore = (event: ParkedEvent): void => {
    if (event.state === 'parked') setIgnored(event);
  };
  const choose = (event: ParkedEvent): void => onChange({ event: parkedId(event) });
  useKeys({
    events,
    choose,
    retry: (event) => event.state !== 'behind' && void retryOne(event),
    ignore: askToIgnore,
  });
  return (
    <>
      {newest && (
        <GroupsCard groups={newest.groups} readAt={newest.readAt} address={address} onChange={onChange} />
      )}
      <section ref={container} className="card" aria-labelledby={titleId}>
        <div className="card-head">
          <h2 id={titleId} tabIndex={-1}>
            Waiting
          </h2>
          <Hint />
        </div>
        <Filters
          address={address}
          onChange={onChange}
          consumers={newest?.groups.map(({ consumer }) => consumer) ?? []}
        />
        {!pages && !board.error && <span className="skeleton card-skeleton" />}
        {!pages && board.error && (
          <div className="card-pad">
            <RetryNotice
              text="The events could not be loaded. Nothing was changed."
              details={detailsOf(board.error)}
              isRetrying={board.isFetching}
              onRetry={() => void board.refetch()}
            />
          </div>
        )}
        {pages && events.length === 0 && (
          <p className="card-pad meta" role="status">
            {isFiltered(address) ? 'No event matches these filters.' : 'No event is waiting.'}
          </p>
        )}
        {newest && (
          <ul className="rows" aria-label="Events, the oldest first">
            {events.map((event) => (
              <WaitingRow
                key={parkedId(event)}
                event={event}
                readAt={newest.readAt}
                isChosen={parkedId(event) === address.event}
                onChoose={() => choose(event)}
                onRetry={() => void retryOne(event)}
                onIgnore={() => askToIgnore(event)}
              />
            ))}
          </ul>
        )}
        {pages && (board.hasNextPage || pages.length > 1) && (
          <div className="audit-more">
            <ListEnd
              label={
                <>
                  <Icon name="down" small />
                  Show later events
                </>
              }
              hasMore={board.hasNextPage}
              isBusy={isReadingOn}
              problem={
                board.isFetchNextPageError
                  ? failureOf(board.error, 'Later events could not be loaded: try again.')
                  : null
              }
              end="There are no later events."
              onMore={readOn}
            />
          </div>
        )}
      </section>
      <ReasonDialog
        isOpen={ignored !== null}
        title="Ignore the event?"
        maxLength={maxReasonLength}
        action="Ignore it"
        isDangerous
        onConfirm={async (reason) => {
          const one = { consumer: ignored?.consumer ?? '', position: ignored?.position ?? '0' };
          return failureOf((await ignore({ ...one, reason })).error, 'Nothing was changed: try again.');
        }}
        onClose={() => setIgnored(null)}
      >
        <p>
          {ignored?.type} at {formatWhole(Number(ignored?.position ?? 0))} is ignored by {ignored?.consumer}.
          The later events of its key go on. It is listed under “Ignored”, where it can be restored.
        </p>
      </ReasonDialog>
    </>
  );
};
