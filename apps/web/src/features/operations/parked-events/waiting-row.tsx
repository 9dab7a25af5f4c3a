import type { ParkedEvent } from '@tapedeck/operations/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { formatDuration, secondsBetween } from '../../../ui/duration.ts';
import { formatWhole } from '../../../ui/format.ts';
import { parkedId } from './parked-address.ts';

const stateNames: Readonly<Record<ParkedEvent['state'], string>> = {
  parked: 'parked',
  retrying: 'retrying',
  waiting: 'waiting',
  behind: 'behind',
  queued: 'queued',
};

/** What has to happen before it is handled. */
export const waitsFor = (
  { state, behind, nextAttemptAt, waitingFor, isHeld }: ParkedEvent,
  now: string,
): string => {
  const next =
    nextAttemptAt === null ? '' : `next attempt in ${formatDuration(secondsBetween(now, nextAttemptAt))}`;
  switch (state) {
    case 'parked':
      return isHeld ? 'Waits for a person: a replay has caused it.' : 'Waits for a person.';
    case 'behind':
      return `Waits for the event at ${formatWhole(Number(behind ?? 0))} of the same key.`;
    case 'waiting':
      return `Waits for ${waitingFor ?? 'its cause'}; ${next}.`;
    case 'retrying':
      return `Has failed; ${next}.`;
    case 'queued':
      return 'Is handled in a moment.';
    default:
      return state satisfies never;
  }
};

const subscriptionIn = (stream: string): string | undefined => /sub_\w+/.exec(stream)?.[0];

/** To the member whom the event names, or to the search for what it names. */
const MemberLink = ({ event }: Readonly<{ event: ParkedEvent }>): JSX.Element | null => {
  const { accountId, eventId, stream } = event;
  if (accountId !== null)
    return (
      <Link to={`/admin/members/${accountId}${eventId === null ? '' : `?event=${eventId}`}`}>
        Event in the audit
      </Link>
    );
  const subscription = subscriptionIn(stream);
  return subscription === undefined ? null : (
    <Link to={`/admin/members?q=${encodeURIComponent(subscription)}`}>Find the member</Link>
  );
};

const eventOfStripe = (stream: string): string | undefined => /^stripeEvent-(evt_\w+)$/.exec(stream)?.[1];

/** To the dry run of handling it again. */
const ReplayLink = ({ event: { stream } }: Readonly<{ event: ParkedEvent }>): JSX.Element | null => {
  const [eventId, subscription] = [eventOfStripe(stream), subscriptionIn(stream)];
  const target =
    eventId !== undefined
      ? `event=${eventId}`
      : subscription !== undefined
        ? `subscription=${subscription}`
        : undefined;
  return target === undefined ? null : <Link to={`/admin/replays?mode=retry&${target}`}>Replay it</Link>;
};

export type WaitingRowProps = Readonly<{
  event: ParkedEvent;
  readAt: string;
  isChosen: boolean;
  onChoose: () => void;
  onRetry: () => void;
  onIgnore: () => void;
}>;

export const WaitingRow = (props: WaitingRowProps): JSX.Element => {
  const { event, readAt, isChosen, onChoose, onRetry, onIgnore } = props;
  const { type, consumer, state, attempts, error, position, since, key } = event;
  return (
    <li className="parked" id={parkedId(event)} aria-current={isChosen ? 'true' : undefined}>
      <div className="row-head">
        <span className={state === 'parked' ? 'badge badge--danger' : 'badge badge--plain'}>
          {stateNames[state]}
        </span>
        <button className="parked-type row-name" type="button" aria-pressed={isChosen} onClick={onChoose}>
          {type}
        </button>
        <span className="meta">
          {consumer} · <span className="mono">{formatWhole(Number(position))}</span> ·{' '}
          {formatDuration(secondsBetween(since, readAt))} old ·{' '}
          {attempts === 1 ? '1 attempt' : `${formatWhole(attempts)} attempts`}
        </span>
        <span className="push row">
          <button className="btn btn--sm" type="button" disabled={state === 'behind'} onClick={onRetry}>
            Retry
          </button>
          <button className="btn btn--sm" type="button" disabled={state !== 'parked'} onClick={onIgnore}>
            Ignore
          </button>
        </span>
      </div>
      {error !== null && <p className="parked-error">{error}</p>}
      <p className="meta row-more">
        <span>{waitsFor(event, readAt)}</span>
        <span className="mono">{key}</span>
        <MemberLink event={event} />
        <ReplayLink event={event} />
      </p>
    </li>
  );
};
