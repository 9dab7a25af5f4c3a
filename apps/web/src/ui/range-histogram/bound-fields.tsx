import { useId, useState, type JSX, type ReactNode } from 'react';
import { BoundInput } from './bound-input.tsx';
import type { Bounds } from './range-thumbs.ts';

export type BoundFieldsProps = Readonly<{
  label: string;
  bounds: Bounds;
  /** What is said while nothing is wrong; it may change with every frame, so it is not announced. */
  hint: ReactNode;
  onBounds: (bounds: Bounds) => void;
}>;

type Problem = Readonly<{ side: 'low' | 'high'; words: string }>;

const problemOf = (
  side: 'low' | 'high',
  typed: number | null | undefined,
  bounds: Bounds,
): Problem | null => {
  if (typed === undefined) return { side, words: 'Type a number, such as 50 or 1.5K' };
  const low = side === 'low' ? typed : bounds.low;
  const high = side === 'high' ? typed : bounds.high;
  return low !== null && high !== null && low > high
    ? { side, words: 'The minimum is above the maximum' }
    : null;
};

export const BoundFields = ({ label, bounds, hint, onBounds }: BoundFieldsProps): JSX.Element => {
  const hintId = useId();
  const [problem, setProblem] = useState<Problem | null>(null);
  const typed =
    (side: 'low' | 'high') =>
    (value: number | null | undefined): boolean => {
      const found = problemOf(side, value, bounds);
      setProblem(found);
      if (found || value === undefined) return false;
      if (value !== bounds[side]) onBounds({ ...bounds, [side]: value });
      return true;
    };
  const words = (side: 'low' | 'high'): string | null => (problem?.side === side ? problem.words : null);
  return (
    <div className="histogram-fields">
      <BoundInput
        label={`${label} from`}
        placeholder="min"
        value={bounds.low}
        describedBy={hintId}
        problem={words('low')}
        onTyped={typed('low')}
      />
      <span aria-hidden="true">–</span>
      <BoundInput
        label={`${label} to`}
        placeholder="max"
        value={bounds.high}
        describedBy={hintId}
        problem={words('high')}
        onTyped={typed('high')}
      />
      <span className="histogram-note" id={hintId}>
        {!problem && <span className="hint">{hint}</span>}
        <span className="error" aria-live="polite">
          {problem?.words}
        </span>
      </span>
    </div>
  );
};
