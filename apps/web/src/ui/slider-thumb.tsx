import { useRef, type JSX, type RefObject } from 'react';
import { useSliderThumb } from 'react-aria/useSlider';
import type { SliderState } from 'react-stately';

export type SliderThumbProps = Readonly<{
  index: 0 | 1;
  /** Such as "Total P&L minimum". */
  name: string;
  state: SliderState;
  track: RefObject<HTMLDivElement | null>;
  isOpen: boolean;
  isHeld: boolean;
  isOnTop: boolean;
}>;

/** The tab with its line. The input inside it is what the keyboard and a screen reader meet. */
export const SliderThumb = (props: SliderThumbProps): JSX.Element => {
  const { index, name, state, track, isOpen, isHeld, isOnTop } = props;
  const inputRef = useRef<HTMLInputElement>(null);
  const { thumbProps, inputProps } = useSliderThumb(
    { index, trackRef: track, inputRef, 'aria-label': name },
    state,
  );
  return (
    <div
      {...thumbProps}
      className={`thumb ${isHeld ? 'is-held' : ''}`}
      data-open={isOpen || undefined}
      style={{ '--at': state.getThumbPercent(index), zIndex: isOnTop ? 2 : 1 }}
    >
      {/* Any step: a typed bound need not lie on one, and the browser would round it. One label of its own:
          the hook's would read "minimum Total P&L". */}
      <input
        {...inputProps}
        ref={inputRef}
        className="thumb-input"
        step="any"
        aria-label={name}
        aria-labelledby={undefined}
      />
    </div>
  );
};
