import { lanes, type EventSummary, type Lane } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { formatTime } from '../../ui/format.ts';

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const yearFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' });

type Range = Readonly<{ from: number; to: number }>;

const shareOf = ({ from, to }: Range, time: number): number =>
  to <= from ? 100 : Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));

const maxLabels = 12;

/** The first days of months, or of every n-th month when there would be too many. */
const monthsOf = ({ from, to }: Range): readonly number[] => {
  const first = new Date(from);
  const last = new Date(to);
  const count =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  const step = Math.max(1, Math.ceil(count / maxLabels));
  return Array.from({ length: Math.floor(count / step) }, (_, index) =>
    Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + (index + 1) * step, 1),
  );
};

const Months = ({ range }: Readonly<{ range: Range }>): JSX.Element => (
  <div className="deck-months" aria-hidden="true">
    {monthsOf(range).map((time) => (
      <span key={time} style={{ '--x': `${shareOf(range, time)}%` }}>
        {(new Date(time).getUTCMonth() === 0 ? yearFormat : monthFormat).format(time)}
      </span>
    ))}
  </div>
);

type LaneRowProps = Readonly<{
  lane: Lane;
  events: readonly EventSummary[];
  range: Range;
  selected: string | null;
}>;

const LaneRow = ({ lane, events, range, selected }: LaneRowProps): JSX.Element => (
  <div className="lane">
    <span className="lane-name">
      <i className={`ev ev--${lane}`} />
      {lane}
    </span>
    <div className="lane-track">
      {events.map(({ id, type, occurredAt }) => (
        // The timeline has the same events for the keyboard, for screen readers and for fingers.
        <i
          key={id}
          className={`ev ev--${lane} ${id === selected ? 'is-cause' : ''}`}
          aria-hidden="true"
          style={{ '--x': `${shareOf(range, Date.parse(occurredAt))}%` }}
          title={`${type}, ${formatTime(occurredAt)}`}
        />
      ))}
    </div>
  </div>
);

export type TapeDeckProps = Readonly<{
  events: readonly EventSummary[];
  first: string;
  now: string;
  at: string | null;
  selected: string | null;
}>;

/** The loaded events on one tape, a lane for each kind, with the chosen instant across all lanes. */
export const TapeDeck = (props: TapeDeckProps): JSX.Element => {
  const { events, first, now, at, selected } = props;
  const range: Range = { from: Date.parse(first), to: Date.parse(now) };
  const x = at === null ? 100 : shareOf(range, Date.parse(at));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="deck" tabIndex={0} role="region" aria-label="Tape of the member">
      <div className="deck-in">
        <Months range={range} />
        {lanes.map((lane) => (
          <LaneRow
            key={lane}
            lane={lane}
            events={events.filter((event) => event.lane === lane)}
            range={range}
            selected={selected}
          />
        ))}
        <div className="deck-ruler">
          <div className="tape" aria-hidden="true" />
        </div>
        <div className="asof" style={{ '--x': x }} aria-hidden="true">
          <span className={x > 85 ? 'asof-left' : undefined}>{at === null ? 'now' : formatTime(at)}</span>
        </div>
      </div>
    </div>
  );
};
