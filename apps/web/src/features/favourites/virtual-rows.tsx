import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  Fragment,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useState,
  type FocusEvent,
  type JSX,
} from 'react';
import type { RowsProps } from './rows.tsx';

const overscan = 8;
/** Before rows have been measured. */
const estimatedRowPx = 85;

const indexOf = (target: EventTarget): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset['index']) : null;
};

/** Draws the rows near the window, and the one that has the focus. The gaps between them have the height of the others. */
export const VirtualRows = (props: RowsProps): JSX.Element => {
  const { count, keyOf, renderRow, container, reveal, onDrawn } = props;
  const [top, setTop] = useState(0);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  useLayoutEffect(() => {
    const box = container.current?.getBoundingClientRect();
    if (box) setTop(Math.round(box.top + window.scrollY));
  }, [container, count]);
  const rangeExtractor = useCallback(
    (range: Range): number[] => {
      const near = defaultRangeExtractor(range);
      if (focusedKey === null) return near;
      const all = Array.from({ length: range.count }, (_, index) => index);
      const focused = all.find((index) => keyOf(index) === focusedKey);
      if (focused === undefined || near.includes(focused)) return near;
      return [...near, focused].sort((a, b) => a - b);
    },
    [focusedKey, keyOf],
  );
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => estimatedRowPx,
    overscan,
    useFlushSync: false,
    scrollMargin: top,
    getItemKey: keyOf,
    rangeExtractor,
  });
  useImperativeHandle(
    reveal,
    () => (index: number) => virtualizer.scrollToIndex(index, { align: 'center' }),
    [virtualizer],
  );
  useEffect(onDrawn);
  const drawn = virtualizer.getVirtualItems();
  const endOf = (at: number): number => drawn[at]?.end ?? top;
  const end = virtualizer.getTotalSize() - (endOf(drawn.length - 1) - top);
  return (
    <div
      role="rowgroup"
      ref={container}
      onFocus={({ target }: FocusEvent) => {
        const index = indexOf(target);
        setFocusedKey(index === null ? null : keyOf(index));
      }}
      onBlur={() => setFocusedKey(null)}
    >
      {drawn.map(({ index, start }, at) => {
        const gap = start - endOf(at - 1);
        return (
          <Fragment key={keyOf(index)}>
            {gap > 0 && <div style={{ height: gap }} />}
            <div role="presentation" className="fav-slot" data-index={index} ref={virtualizer.measureElement}>
              {renderRow(index)}
            </div>
          </Fragment>
        );
      })}
      {end > 0 && <div style={{ height: end }} />}
    </div>
  );
};
