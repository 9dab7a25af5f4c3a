import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';

/** Up to this number every row is in the page, where the browser's search finds it. */
const maxDrawn = 200;
const overscan = 8;
/** Before rows have been measured. */
const estimatedRowPx = 84;

/** A row to draw, after a gap for the rows that are not drawn. */
export type DrawnRow = Readonly<{ index: number; gapPx: number }>;

export type VirtualRows = Readonly<{
  rows: readonly DrawnRow[];
  /** Below the last drawn row. */
  endGapPx: number;
  /** Of the element that contains the rows. */
  container: RefObject<HTMLDivElement | null>;
  /** Of each row, with its index as `data-index`. */
  measure: (row: Element | null) => void;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
  scrollTo: (index: number) => void;
}>;

const indexOf = (target: EventTarget): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset['index']) : null;
};

/** Draws the rows near the window, and the one that has the focus. */
export const useVirtualRows = (count: number, keyOf: (index: number) => string): VirtualRows => {
  const container = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const isVirtual = count > maxDrawn;
  useLayoutEffect(() => {
    const box = container.current?.getBoundingClientRect();
    if (box) setTop(Math.round(box.top + window.scrollY));
  }, [count]);
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: isVirtual,
    estimateSize: () => estimatedRowPx,
    overscan,
    useFlushSync: false,
    scrollMargin: top,
    getItemKey: keyOf,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const near = defaultRangeExtractor(range);
        if (focusedKey === null) return near;
        const all = Array.from({ length: range.count }, (_, index) => index);
        const focused = all.find((index) => keyOf(index) === focusedKey);
        if (focused === undefined || near.includes(focused)) return near;
        return [...near, focused].sort((a, b) => a - b);
      },
      [focusedKey, keyOf],
    ),
  });
  const events = {
    onFocus: ({ target }: FocusEvent): void => {
      const index = indexOf(target);
      setFocusedKey(index === null ? null : keyOf(index));
    },
    onBlur: (): void => setFocusedKey(null),
  };
  if (!isVirtual) {
    const rows = Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 }));
    return {
      ...events,
      rows,
      endGapPx: 0,
      container,
      measure: () => undefined,
      scrollTo: () => undefined,
    };
  }
  const drawn = virtualizer.getVirtualItems();
  const endOf = (at: number): number => drawn[at]?.end ?? top;
  return {
    ...events,
    rows: drawn.map(({ index, start }, at) => ({ index, gapPx: Math.max(0, start - endOf(at - 1)) })),
    endGapPx: Math.max(0, virtualizer.getTotalSize() - (endOf(drawn.length - 1) - top)),
    container,
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
};
