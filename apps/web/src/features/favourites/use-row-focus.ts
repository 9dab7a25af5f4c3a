import { useEffect, useState } from 'react';
import { controlSelector, type RowControl } from './favourite-row.tsx';

/** Where the focus goes once the rows are drawn; without `urlId` to the heading of the list. */
export type FocusRequest = Readonly<{ urlId: string | null; control: RowControl }>;

export type RowFocusOptions = Readonly<{
  container: Readonly<{ current: HTMLElement | null }>;
  headingId: string;
  /** Draws a row that is outside of the window; false when the list does not contain it. */
  reveal: (urlId: string) => boolean;
}>;

/** Moves the focus to a row that may not be drawn yet. */
export const useRowFocus = (options: RowFocusOptions): ((request: FocusRequest) => void) => {
  const { container, headingId, reveal } = options;
  const [request, setRequest] = useState<FocusRequest | null>(null);
  useEffect(() => {
    if (!request) return;
    const { urlId, control } = request;
    const found =
      urlId === null
        ? document.getElementById(headingId)
        : container.current?.querySelector<HTMLElement>(controlSelector(urlId, control));
    if (found) {
      found.focus();
      setRequest(null);
    } else if (urlId === null || !reveal(urlId)) setRequest(null);
  });
  return setRequest;
};
