import type { Band, EventSummary, TapeDeck as Deck } from '@tapedeck/audit/contract';
import { useLayoutEffect, useMemo, useRef, type JSX, type MouseEvent, type RefObject } from 'react';
import { formatTime, formatWhole } from '../../../ui/format.ts';
import { detailsOf } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { useDeckQuery } from '../audit.api.ts';
import { Bands, bandText } from './bands.tsx';
import { laneMarks, nearestTime, type LaneMarks } from './deck-marks.ts';
import { deckRange, shareOf, ticksOf, timeOf, type DeckRange } from './deck-scale.ts';
import { Lanes } from './lanes.tsx';
import { InstantSlider, usePlayhead, type Playhead } from './playhead.tsx';

const maxTicks = 8;
/** Of the tape's width, in per cent: a click this near to a mark means the mark. */
const snapDistance = 0.7;

const Times = ({
  range,
  track,
}: Readonly<{ range: DeckRange; track: RefObject<HTMLDivElement | null> }>): JSX.Element => (
  <div className="deck-times" ref={track} aria-hidden="true">
    {ticksOf(range, maxTicks).map(({ time, label }) => {
      const x = shareOf(range, time);
      return (
        <span key={time} className={x > 92 ? 'is-last' : undefined} style={{ '--x': `${x}%` }}>
          {label}
        </span>
      );
    })}
  </div>
);

const drawnText = (drawn: number, total: number): string => {
  const older = total - drawn;
  if (older > 0) {
    const missing = older === 1 ? '1 older one is missing' : `${formatWhole(older)} older ones are missing`;
    return `The newest ${formatWhole(drawn)} of ${formatWhole(total)} events are drawn; ${missing}.`;
  }
  return total === 1 ? '1 event is drawn.' : `All ${formatWhole(total)} events are drawn.`;
};

const Note = ({ deck: { kinds, marks, total } }: Readonly<{ deck: Deck }>): JSX.Element => {
  const failures = marks.filter(([, place]) => kinds[place]?.isFailure).length;
  const drawn = marks.length;
  return (
    <p className="deck-note meta" role="status">
      {drawnText(drawn, total)}
      {failures > 0 && (
        <span className="deck-failures">
          <i className="ev ev--payment is-failure" aria-hidden="true" />
          {failures === 1 ? '1 failure' : `${formatWhole(failures)} failures`}
        </span>
      )}
    </p>
  );
};

/** The same for screen readers. */
const Spoken = ({ bands }: Readonly<{ bands: readonly Band[] }>): JSX.Element => (
  <ul className="visually-hidden" aria-label="Access over time">
    {bands.map((band) => (
      <li key={band.from}>{bandText(band)}</li>
    ))}
  </ul>
);

export type TapeDeckProps = Readonly<{
  accountId: string;
  first: string;
  now: string;
  at: string | null;
  /** The events behind the answer, and the one whose details are shown. */
  causes: readonly EventSummary[];
  selected: EventSummary | undefined;
  onMove: (at: string | null) => void;
}>;

type DrawnProps = TapeDeckProps & Readonly<{ deck: Deck }>;

/** Where the playhead is in sight when not all of the tape is. */
const useScrollToPlayhead = (
  region: RefObject<HTMLDivElement | null>,
  track: RefObject<HTMLDivElement | null>,
  x: number,
): void => {
  useLayoutEffect(() => {
    const [outer, inner] = [region.current, track.current];
    if (!outer || !inner) return undefined;
    const scroll = (): void => {
      const place = inner.offsetLeft + (inner.offsetWidth * x) / 100;
      const [left, right] = [outer.scrollLeft + inner.offsetLeft, outer.scrollLeft + outer.clientWidth];
      if (place < left || place > right - 16) outer.scrollLeft = place - outer.clientWidth * 0.6;
    };
    const observer = new ResizeObserver(scroll);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [region, track, x]);
};

type ClickOptions = Readonly<{
  range: DeckRange;
  drawn: readonly LaneMarks[];
  track: RefObject<HTMLDivElement | null>;
  playhead: Playhead;
}>;

const moveByClick = (
  { range, drawn, track, playhead }: ClickOptions,
  { clientX }: Pick<MouseEvent, 'clientX'>,
): void => {
  const box = track.current?.getBoundingClientRect();
  if (!box) return;
  const x = ((clientX - box.left) / box.width) * 100;
  if (x < 0 || x > 100) return;
  playhead.moveTo(nearestTime(drawn, x, snapDistance) ?? timeOf(range, x));
};

const Drawn = ({ deck, first, now, at, causes, selected, onMove }: DrawnProps): JSX.Element => {
  const region = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const bands = useMemo(() => deck.bands.filter(({ from }) => from <= now), [deck, now]);
  const range = useMemo(() => {
    const end = bands.at(-1)?.to ?? null;
    return deckRange(Date.parse(first), Date.parse(now), end === null ? null : Date.parse(end));
  }, [bands, first, now]);
  const drawn = useMemo(() => laneMarks(deck, range), [deck, range]);
  const playhead = usePlayhead(at, range, onMove);
  const x = shareOf(range, playhead.time ?? range.now);
  useScrollToPlayhead(region, track, x);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className="deck" ref={region} tabIndex={0} role="region" aria-label="Tape of the member">
        <div className="deck-in">
          <Times range={range} track={track} />
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the slider does the same by keyboard */}
          <div
            className="deck-lanes"
            onClick={(event) => moveByClick({ range, drawn, track, playhead }, event)}
          >
            <Lanes
              drawn={drawn}
              range={range}
              causes={causes}
              selected={selected}
              bands={<Bands bands={bands} range={range} />}
            />
          </div>
          <div className="deck-ruler">
            <div className="tape" aria-hidden="true" />
            <InstantSlider range={range} playhead={playhead} />
          </div>
          <div className="asof" style={{ '--x': x }} aria-hidden="true">
            <span className={x > 80 ? 'asof-left' : undefined}>
              {playhead.time === null ? 'now' : formatTime(new Date(playhead.time).toISOString())}
            </span>
          </div>
        </div>
      </div>
      <Spoken bands={bands} />
      <Note deck={deck} />
    </>
  );
};

/** All events of the member on one tape, a lane for each kind, with the chosen instant across all lanes. */
export const TapeDeck = (props: TapeDeckProps): JSX.Element => {
  const query = useDeckQuery(props.accountId);
  const { data: deck, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch() });
  if (deck) return <Drawn {...props} deck={deck} />;
  if (!error) {
    return (
      <div className="deck-waiting" aria-busy="true">
        <span className="skeleton" />
      </div>
    );
  }
  return (
    <div className="deck-waiting card-pad">
      <RetryNotice
        text="The tape could not be drawn. The timeline below has the same events."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    </div>
  );
};
