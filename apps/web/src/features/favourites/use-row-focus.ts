import { useCallback, useRef, type RefObject } from 'react';
import { controlSelector, type RowControl } from './favourite-row.tsx';

/** Where the focus goes; without `urlId` to the heading of the list. */
export type FocusRequest = Readonly<{ urlId: string | null; control: RowControl }>;

export type RowFocusOptions = Readonly<{
  container: RefObject<HTMLElement | null>;
  headingId: string;
}>;

export type RowFocus = Readonly<{
  focus: (request: FocusRequest) => void;
  /** To be called when rows have been drawn. `reveal` draws one that is not; false when there is none. */
  onDrawn: (reveal: (urlId: string) => boolean) => void;
}>;

/** Moves the focus to a row, which may have to be drawn before. */
export const useRowFocus = ({ container, headingId }: RowFocusOptions): RowFocus => {
  const wanted = useRef<FocusRequest | null>(null);
  const tryFocus = useCallback((): void => {
    if (!wanted.current) return;
    const { urlId, control } = wanted.current;
    const found =
      urlId === null
        ? document.getElementById(headingId)
        : container.current?.querySelector<HTMLElement>(controlSelector(urlId, control));
    found?.focus();
    if (found) wanted.current = null;
  }, [container, headingId]);
  const focus = useCallback(
    (request: FocusRequest) => {
      wanted.current = request;
      tryFocus();
    },
    [tryFocus],
  );
  const onDrawn = useCallback(
    (reveal: (urlId: string) => boolean) => {
      tryFocus();
      const urlId = wanted.current?.urlId;
      if (urlId && !reveal(urlId)) wanted.current = null;
    },
    [tryFocus],
  );
  return { focus, onDrawn };
};
