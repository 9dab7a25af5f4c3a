import { useEffect, useState, type JSX } from 'react';
import { formatTime } from '../../../ui/format.ts';
import { shareOf, type DeckRange } from './deck-scale.ts';

/** Between two positions of the playhead the address stays, so that the answers can follow the finger. */
const settleMs = 120;
const steps = 1_000;

/** The chosen instant. It moves at once; the address follows when it rests. */
export type Playhead = Readonly<{
  /** Null for now. */
  time: number | null;
  moveTo: (time: number) => void;
}>;

type Moved = Readonly<{ time: number | null }>;

export const usePlayhead = (
  at: string | null,
  { now }: DeckRange,
  onMove: (at: string | null) => void,
): Playhead => {
  const [moved, setMoved] = useState<Moved | null>(null);
  useEffect(() => {
    if (moved === null) return undefined;
    const timer = setTimeout(() => {
      onMove(moved.time === null ? null : new Date(moved.time).toISOString());
      setMoved(null);
    }, settleMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the timer is that of the last movement
  }, [moved]);
  const shown = at === null ? null : Date.parse(at);
  return {
    time: moved === null ? shown : moved.time,
    moveTo: (time) => setMoved({ time: time >= now ? null : time }),
  };
};

type SliderProps = Readonly<{ range: DeckRange; playhead: Playhead }>;

/** From the member's first event to now. */
export const InstantSlider = ({ range, playhead: { time, moveTo } }: SliderProps): JSX.Element => {
  const { from, now } = range;
  const share = (Math.min(Math.max(time ?? now, from), now) - from) / (now - from);
  return (
    <input
      className="instant"
      type="range"
      style={{ '--now': `${shareOf(range, now)}%` }}
      min={0}
      max={steps}
      value={Math.round(share * steps)}
      aria-label="As of"
      aria-valuetext={time === null ? 'now' : formatTime(new Date(time).toISOString())}
      onChange={({ target }) => moveTo(Math.round(from + ((now - from) * Number(target.value)) / steps))}
    />
  );
};
