import type { EventDetail } from '@tapedeck/audit/contract';
import { useEffect, useRef, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/icon.tsx';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useAuditedEventQuery } from './audit.api.ts';
import { causationTree } from './causation-tree.ts';
import { LaneMark } from './lane-mark.tsx';
import { LinkedText, plainText } from './linked-text.tsx';
import { actorText } from './timeline.tsx';
import { formatTime } from '../../ui/format.ts';

type TreeProps = Readonly<{ detail: EventDetail; onOpen: (eventId: string) => void }>;

/** What belongs together: the event's causes above it, its effects below. */
const Tree = ({ detail: { event, correlation }, onOpen }: TreeProps): JSX.Element => (
  <section aria-labelledby="tree-title">
    <h3 id="tree-title">Causes and effects</h3>
    <ol className="tree">
      {causationTree(correlation).map(({ event: one, depth }) => (
        <li key={one.id} style={{ '--depth': depth }}>
          <button
            className="chain-link"
            type="button"
            aria-current={one.id === event.id ? 'true' : undefined}
            onClick={() => onOpen(one.id)}
          >
            <LaneMark lane={one.lane} isFailure={one.isFailure} />
            <span className="chain-type">{one.type}</span>
            <span className="chain-text">{plainText(one.parts)}</span>
          </button>
        </li>
      ))}
    </ol>
  </section>
);

const textIn = (fields: unknown, name: string): string | null => {
  const value = (Object(fields) as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
};

type Fact = readonly [name: string, value: ReactNode];

const factsOf = ({ event, data, metadata, schemaVersion }: EventDetail): readonly Fact[] => {
  const reason = event.lane === 'admin' ? textIn(data, 'reason') : null;
  const replayId = textIn(metadata, 'replayId') ?? textIn(data, 'replayId');
  return [
    ['Occurred', `${formatTime(event.occurredAt)} UTC`],
    ['Recorded', `${formatTime(event.recordedAt)} UTC`],
    ['Actor', actorText(event)],
    ...(reason === null ? [] : [['Reason', reason] as const]),
    ...(replayId === null
      ? []
      : [
          [
            'Replay',
            <Link key="replay" to={`/admin/replays/${replayId}`}>
              Show what it has changed
            </Link>,
          ] as const,
        ]),
    ['Stream', `${event.stream}, version ${event.version}`],
    ['Position', event.position],
    ['Schema version', String(schemaVersion)],
  ];
};

const Facts = ({ detail }: Readonly<{ detail: EventDetail }>): JSX.Element => (
  <dl className="facts">
    {factsOf(detail).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const Content = ({ detail, onOpen }: TreeProps): JSX.Element => (
  <>
    <p>
      <LinkedText parts={detail.event.parts} />
    </p>
    {detail.event.reason !== null && <p className="meta">Reason: {detail.event.reason}</p>}
    {detail.event.stripeUrl !== null && (
      <a className="btn btn--sm" href={detail.event.stripeUrl} target="_blank" rel="noreferrer">
        See it at Stripe
        <Icon name="external" small />
      </a>
    )}
    <Facts detail={detail} />
    <Tree detail={detail} onOpen={onOpen} />
    <section>
      <h3 id="raw-title">As it was recorded</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className="raw" tabIndex={0} role="region" aria-labelledby="raw-title">
        <pre>{JSON.stringify({ data: detail.data, metadata: detail.metadata }, null, 2)}</pre>
      </div>
    </section>
  </>
);

export type EventDrawerProps = Readonly<{
  accountId: string;
  eventId: string;
  onOpen: (eventId: string) => void;
  onShowAsOf: (time: string) => void;
  onClose: () => void;
}>;

/** The details of an event, beside the page: j and k go on through the list while it is open. */
export const EventDrawer = (props: EventDrawerProps): JSX.Element => {
  const { accountId, eventId, onOpen, onShowAsOf, onClose } = props;
  const { currentData, error, isFetching, refetch } = useAuditedEventQuery({ accountId, eventId });
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    close.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog[open]')) onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onClose]);
  return (
    <aside className="event-drawer" aria-labelledby="event-title">
      <div className="card-head">
        <h2 id="event-title">{currentData?.event.type ?? 'Event'}</h2>
        <span className="push row">
          {currentData && (
            <button
              className="btn btn--quiet btn--sm"
              type="button"
              onClick={() => onShowAsOf(currentData.event.occurredAt)}
            >
              As of this event
            </button>
          )}
          <button
            ref={close}
            className="btn btn--quiet btn--icon btn--sm"
            type="button"
            aria-label="Close the event"
            onClick={onClose}
          >
            <Icon name="x" small />
          </button>
        </span>
      </div>
      <div className="event-drawer-body" aria-live="polite">
        {error && !currentData && (
          <RetryNotice
            text="The event could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {!currentData && !error && <span className="skeleton card-skeleton" />}
        {currentData && <Content detail={currentData} onOpen={onOpen} />}
      </div>
    </aside>
  );
};
