import type { EventSummary } from '@tapedeck/audit/contract';
import { memo, type JSX, type ReactNode } from 'react';
import { formatTime, formatWhole } from '../../../ui/format.ts';
import { LaneMark } from '../lane-mark.tsx';
import type { LaneMarks, Mark } from './deck-marks.ts';
import { shareOf, type DeckRange } from './deck-scale.ts';

const timeText = (time: number): string => formatTime(new Date(time).toISOString());

const maxTypes = 3;

const markText = ({ types, count, first, last }: Mark): string => {
  if (count === 1) return `${types[0]}, ${timeText(last)}`;
  const named = types.slice(0, maxTypes).join(', ');
  const more = types.length > maxTypes ? ' and others' : '';
  const [from, to] = [timeText(first), timeText(last)];
  return `${formatWhole(count)} events: ${named}${more}, ${from === to ? to : `${from} to ${to}`}`;
};

const Marks = memo(({ lane, marks }: LaneMarks): JSX.Element => (
  // The timeline has the same events for the keyboard, for screen readers and for fingers.
  <>
    {marks.map((mark) => (
      <i
        key={mark.last}
        className={`ev ev--${lane} ${mark.isFailure ? 'is-failure' : ''}`}
        aria-hidden="true"
        style={{ '--x': `${mark.x}%` }}
        title={markText(mark)}
      />
    ))}
  </>
));

/** Over the marks, so that they are seen among thousands. */
const Highlights = ({
  lane,
  events,
  range,
  className,
}: Readonly<{
  lane: string;
  events: readonly EventSummary[];
  range: DeckRange;
  className: string;
}>): JSX.Element => (
  <>
    {events
      .filter((event) => event.lane === lane)
      .map(({ id, type, occurredAt, isFailure }) => (
        <i
          key={id}
          className={`ev ev--${lane} ${className} ${isFailure ? 'is-failure' : ''}`}
          aria-hidden="true"
          style={{ '--x': `${shareOf(range, Date.parse(occurredAt))}%` }}
          title={`${type}, ${formatTime(occurredAt)}`}
        />
      ))}
  </>
);

/** From a payment to the change of the membership that it has caused. */
const Joins = ({
  causes,
  range,
}: Readonly<{ causes: readonly EventSummary[]; range: DeckRange }>): JSX.Element => {
  const changed = new Set(
    causes.filter(({ lane }) => lane === 'membership').map(({ occurredAt }) => occurredAt.slice(0, 16)),
  );
  const times = causes
    .filter(({ lane, occurredAt }) => lane === 'payment' && changed.has(occurredAt.slice(0, 16)))
    .map(({ occurredAt }) => occurredAt);
  return (
    <>
      {[...new Set(times)].map((time) => (
        <i key={time} className="join" style={{ '--x': `${shareOf(range, Date.parse(time))}%` }} />
      ))}
    </>
  );
};

export type LanesProps = Readonly<{
  drawn: readonly LaneMarks[];
  range: DeckRange;
  causes: readonly EventSummary[];
  selected: EventSummary | undefined;
  /** Behind the marks of the membership. */
  bands: ReactNode;
}>;

export const Lanes = ({ drawn, range, causes, selected, bands }: LanesProps): JSX.Element => (
  <>
    {drawn.map(({ lane, marks }) => (
      <div className="lane" key={lane}>
        <span className="lane-name">
          <LaneMark lane={lane} />
          {lane}
        </span>
        <div className="lane-track">
          {lane === 'membership' && bands}
          {lane === 'payment' && <Joins causes={causes} range={range} />}
          <Marks lane={lane} marks={marks} />
          <Highlights lane={lane} events={causes} range={range} className="is-cause" />
          <Highlights lane={lane} events={selected ? [selected] : []} range={range} className="is-selected" />
        </div>
      </div>
    ))}
  </>
);
