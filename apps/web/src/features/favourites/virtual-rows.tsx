import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useState,
  type JSX,
  type ReactNode,
  type RefObject,
} from 'react';

export type RowsProps = Readonly<{
  count: number;
  keyOf: (index: number) => string;
  renderRow: (index: number) => ReactNode;
  /** The element that contains the rows. */
  container: RefObject<HTMLDivElement | null>;
  /** Where rows outside of the window are not drawn: draws one of them. */
  reveal: RefObject<((index: number) => void) | null>;
  /** After each time. */
  onDrawn: () => void;
}>;

type Container = RefObject<HTMLDivElement | null>;

/** Drawn above and below the window. */
const overscan = 8;
/** Of rows that have not been measured. */
const estimatedRowPx = 90;

/** Where the rows begin in the document, in pixels. */
const useTop = (container: Container): number => {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (container.current) setTop(container.current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    // What is above the rows makes the page grow.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [container]);
  return top;
};

/** The key of the row that has the focus. */
const useFocusedRow = (container: Container): string | null => {
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const element = container.current;
    const focusIn = ({ target }: FocusEvent): void => {
      const slot = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
      setFocused(slot?.dataset['row'] ?? null);
    };
    const focusOut = (): void => setFocused(null);
    element?.addEventListener('focusin', focusIn);
    element?.addEventListener('focusout', focusOut);
    return () => {
      element?.removeEventListener('focusin', focusIn);
      element?.removeEventListener('focusout', focusOut);
    };
  }, [container]);
  return focused;
};

/** Draws the rows near the window, and the one that has the focus. Gaps have the height of the others. */
export const VirtualRows = (props: RowsProps): JSX.Element => {
  const { count, keyOf, renderRow, container, reveal, onDrawn } = props;
  const top = useTop(container);
  const focused = useFocusedRow(container);
  const keys = useMemo(() => Array.from({ length: count }, (_, index) => keyOf(index)), [count, keyOf]);
  const kept = focused === null ? -1 : keys.indexOf(focused);
  // oxlint-disable-next-line react/incompatible-library -- nothing that it returns is passed on to what is memoized
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count,
    overscan,
    getItemKey: keyOf,
    estimateSize: () => estimatedRowPx,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      return kept < 0 || near.includes(kept) ? near : [...near, kept].sort((a, b) => a - b);
    },
  });
  useImperativeHandle(reveal, () => (index: number) => virtualizer.scrollToIndex(index, { align: 'center' }));
  useEffect(onDrawn);
  const rows = virtualizer.getVirtualItems();
  const endGapPx = top + virtualizer.getTotalSize() - (rows.at(-1)?.end ?? top);
  return (
    <div role="rowgroup" ref={container}>
      {rows.map(({ index, start }, at) => {
        const gapPx = start - (rows[at - 1]?.end ?? top);
        return (
          <Fragment key={keys[index]}>
            {gapPx > 0 && <div style={{ height: gapPx }} />}
            <div
              role="presentation"
              data-row={keys[index]}
              data-index={index}
              ref={virtualizer.measureElement}
            >
              {renderRow(index)}
            </div>
          </Fragment>
        );
      })}
      {endGapPx > 0 && <div style={{ height: endGapPx }} />}
    </div>
  );
};
