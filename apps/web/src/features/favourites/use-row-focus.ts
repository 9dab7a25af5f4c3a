import { useCallback, useRef, type RefObject } from 'react';
import { controlSelector, type RowControl } from './favourite-row.tsx';

/** Where the focus goes; without `urlId` to the heading of the list. */
export type FocusRequest = Readonly<{ urlId: string | null; control: RowControl }>;

export type RowFocusOptions = Readonly<{
  container: RefObject<HTMLElement | null>;
  headingId: string;
  /** Draws a row that is outside of the window; false when the list does not contain it. Stays the same. */
  reveal: (urlId: string) => boolean;
}>;

export type RowFocus = Readonly<{
  focus: (request: FocusRequest) => void;
  /** To be called when rows have been drawn. */
  onDrawn: () => void;
}>;

/** Moves the focus to a row, which may have to be drawn before. */
export const useRowFocus = ({ container, headingId, reveal }: RowFocusOptions): RowFocus => {
  const wanted = useRef<FocusRequest | null>(null);
  const tryFocus = useCallback((): void => {
    if (!wanted.current) return;
    const { urlId, control } = wanted.current;
    const found =
      urlId === null
        ? document.getElementById(headingId)
        : container.current?.querySelector<HTMLElement>(controlSelector(urlId, control));
    found?.focus();
    // A hidden one takes it when it is shown again.
    if (found && document.activeElement === found) wanted.current = null;
  }, [container, headingId]);
  const focus = useCallback(
    (request: FocusRequest) => {
      wanted.current = request;
      tryFocus();
      // One that is about to be added to the list is not in it yet.
      if (wanted.current?.urlId) reveal(wanted.current.urlId);
    },
    [tryFocus, reveal],
  );
  const onDrawn = useCallback(() => {
    tryFocus();
    const urlId = wanted.current?.urlId;
    if (urlId && !reveal(urlId)) wanted.current = null;
  }, [tryFocus, reveal]);
  return { focus, onDrawn };
};
