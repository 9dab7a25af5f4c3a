import { auditRoutes, lanes, type EventSummary, type Lane } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { detailsOf } from '../../api/problem-text.ts';
import type { Problem } from '../../ui/inline-error.tsx';
import { ListEnd } from '../../ui/list-end.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { TimeField, type ChangeAddress } from './as-of-bar.tsx';
import { timelineFilter, type AuditAddress } from './audit-address.ts';
import { LaneMark } from './lane-mark.tsx';
import { LinkedText } from './linked-text.tsx';
import { formatTime } from '../../ui/format.ts';

type OnOpen = (eventId: string) => void;

const actorKinds = ['user', 'stripe', 'system', 'anonymous'] as const;

/** Who has caused it, in a word. */
export const actorText = ({ actorKind, actorName, actorId }: EventSummary): string => {
  if (actorName !== null) return actorName;
  return actorKind === actorId ? actorKind : `${actorKind} ${actorId.slice(0, 8)}`;
};

type FilterProps = Readonly<{ address: AuditAddress; onChange: ChangeAddress }>;

const toggled = (chosen: readonly Lane[], lane: Lane): readonly Lane[] =>
  chosen.includes(lane) ? chosen.filter((one) => one !== lane) : [...chosen, lane];

const Filters = ({ address, onChange }: FilterProps): JSX.Element => (
  <div className="audit-bar">
    <div className="chips" role="group" aria-label="Lanes">
      {lanes.map((lane) => (
        <button
          key={lane}
          className="chip"
          type="button"
          aria-pressed={address.lanes.includes(lane)}
          onClick={() => onChange({ lanes: toggled(address.lanes, lane) })}
        >
          <LaneMark lane={lane} />
          {lane}
        </button>
      ))}
    </div>
    <label className="asof-field">
      <span className="meta">By</span>
      <span className="select">
        <select
          value={address.actorKind ?? ''}
          onChange={({ target }) => onChange({ actorKind: target.value === '' ? null : target.value })}
        >
          <option value="">anybody</option>
          {actorKinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
        <Icon name="down" small />
      </span>
    </label>
    <TimeField label="From" value={address.from} onChange={(from) => onChange({ from })} />
    <TimeField label="To" value={address.to} onChange={(to) => onChange({ to })} />
  </div>
);

export const exportUrl = (accountId: string, address: AuditAddress, format: string): string => {
  const params = timelineFilter(address);
  params.set('format', format);
  return `${auditRoutes.export(accountId)}?${params.toString()}`;
};

type RowProps = Readonly<{
  event: EventSummary;
  isSelected: boolean;
  /** Recorded after the chosen instant. */
  isLater: boolean;
  onOpen: OnOpen;
}>;

const isLate = ({ occurredAt, recordedAt }: EventSummary): boolean =>
  Math.abs(Date.parse(recordedAt) - Date.parse(occurredAt)) >= 60_000;

const Row = ({ event, isSelected, isLater, onOpen }: RowProps): JSX.Element => (
  <li className={`event ${isSelected ? 'is-cause' : ''} ${isLater ? 'is-later' : ''}`}>
    <span className="event-t mono">{formatTime(event.occurredAt)}</span>
    <span className="event-lane">
      <LaneMark lane={event.lane} isFailure={event.isFailure} />
      {event.lane}
    </span>
    <button
      className="event-type"
      type="button"
      id={`event-${event.id}`}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => onOpen(event.id)}
    >
      {event.type}
    </button>
    <p className="event-reason">
      <LinkedText parts={event.parts} />
      {event.reason !== null && <q className="event-why">{event.reason}</q>}
    </p>
    <span className="event-actor">{actorText(event)}</span>
    <span
      className="event-n mono"
      title={isLate(event) ? `Recorded ${formatTime(event.recordedAt)}` : undefined}
    >
      {event.position}
    </span>
  </li>
);

export type TimelineProps = Readonly<{
  accountId: string;
  address: AuditAddress;
  /** Undefined while they are loaded for the first time. */
  events: readonly EventSummary[] | undefined;
  total: number;
  /** Of the events that match, more than the first page. */
  isPaged: boolean;
  hasMore: boolean;
  isFetching: boolean;
  /** Earlier events are asked for. */
  isReadingOn: boolean;
  error: object | undefined;
  /** Why earlier events could not be shown. */
  moreProblem: Problem | null;
  onMore: () => void;
  onRetry: () => void;
  onChange: ChangeAddress;
  onOpen: OnOpen;
}>;

const Rows = ({
  events,
  address,
  onOpen,
}: Pick<TimelineProps, 'address' | 'onOpen'> &
  Readonly<{ events: readonly EventSummary[] }>): JSX.Element => (
  <>
    <div className="events-head" aria-hidden="true">
      <span>Time (UTC)</span>
      <span>Lane</span>
      <span>Event</span>
      <span>What happened</span>
      <span>Actor</span>
      <span>Position</span>
    </div>
    <ol className="events" aria-label="Events, the newest first">
      {events.map((event) => (
        <Row
          key={event.id}
          event={event}
          isSelected={event.id === address.event}
          isLater={address.at !== null && event.occurredAt > address.at}
          onOpen={onOpen}
        />
      ))}
    </ol>
  </>
);

const isFiltered = ({ lanes: chosen, actorKind, from, to }: AuditAddress): boolean =>
  chosen.length > 0 || actorKind !== null || from !== null || to !== null;

/** All events of the member, the newest first. */
export const Timeline = (props: TimelineProps): JSX.Element => {
  const { accountId, address, events, total, isFetching, error } = props;
  return (
    <section className="card audit-timeline" aria-labelledby="timeline-title">
      <div className="card-head">
        <h2 id="timeline-title">Timeline</h2>
        <span className="meta">{total === 1 ? '1 event' : `${total.toLocaleString('en-US')} events`}</span>
        <span className="push row">
          <a className="btn btn--quiet btn--sm" href={exportUrl(accountId, address, 'csv')} download>
            <Icon name="download" small />
            CSV
          </a>
          <a className="btn btn--quiet btn--sm" href={exportUrl(accountId, address, 'jsonl')} download>
            <Icon name="download" small />
            JSONL
          </a>
        </span>
      </div>
      <Filters address={address} onChange={props.onChange} />
      {error && !events && (
        <div className="card-pad">
          <RetryNotice
            text="The timeline could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={props.onRetry}
          />
        </div>
      )}
      {!events && !error && <span className="skeleton card-skeleton" />}
      {events?.length === 0 && (
        <p className="card-pad meta">
          {isFiltered(address) ? 'No event matches these filters.' : 'Nothing has happened yet.'}
        </p>
      )}
      {events && events.length > 0 && <Rows events={events} address={address} onOpen={props.onOpen} />}
      {props.isPaged && (
        <div className="audit-more">
          <ListEnd
            label={
              <>
                <Icon name="down" small />
                Show earlier events
              </>
            }
            hasMore={props.hasMore}
            isBusy={props.isReadingOn}
            problem={props.moreProblem}
            end="There are no earlier events."
            onMore={props.onMore}
          />
        </div>
      )}
    </section>
  );
};
