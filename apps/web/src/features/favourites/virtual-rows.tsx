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
import { drawnRows, rowStarts, type Viewport } from './drawn-rows.ts';

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
const overscanPx = 600;
/** Scrolling by less draws nothing again. */
const stepPx = 200;
/** Of rows before the first one has been measured. */
const estimatedRowPx = 90;

const viewportOf = (box: DOMRect): Viewport => ({
  top: Math.floor((-box.top - overscanPx) / stepPx) * stepPx,
  bottom: Math.ceil((window.innerHeight - box.top + overscanPx) / stepPx) * stepPx,
});

const useViewport = (container: Container): Viewport => {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, bottom: overscanPx });
  useLayoutEffect(() => {
    const update = (): void => {
      if (!container.current) return;
      const next = viewportOf(container.current.getBoundingClientRect());
      setViewport((last) => (last.top === next.top && last.bottom === next.bottom ? last : next));
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [container]);
  return viewport;
};

const keySelector = '[data-row]';

/** The heights of the rows that have been drawn, by key. */
const useHeights = (container: Container): ReadonlyMap<string, number> => {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  useLayoutEffect(() => {
    const measure = (): void =>
      setHeights((known) => {
        const slots = [...(container.current?.querySelectorAll<HTMLElement>(keySelector) ?? [])];
        const changed = slots
          .map((slot): [string, number] => [slot.dataset['row'] ?? '', slot.getBoundingClientRect().height])
          .filter(([key, height]) => known.get(key) !== height);
        return changed.length === 0 ? known : new Map([...known, ...changed]);
      });
    measure();
    // A row that grows makes the container grow.
    const observer = new ResizeObserver(measure);
    if (container.current) observer.observe(container.current);
    return () => observer.disconnect();
  });
  return heights;
};

/** The key of the row that has the focus. */
const useFocusedRow = (container: Container): string | null => {
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const element = container.current;
    const focusIn = ({ target }: FocusEvent): void => {
      const slot = target instanceof Element ? target.closest<HTMLElement>(keySelector) : null;
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
  const viewport = useViewport(container);
  const heights = useHeights(container);
  const focused = useFocusedRow(container);
  const keys = useMemo(() => Array.from({ length: count }, (_, index) => keyOf(index)), [count, keyOf]);
  const starts = useMemo(() => {
    const known = [...heights.values()];
    const average =
      known.length === 0 ? estimatedRowPx : known.reduce((sum, px) => sum + px, 0) / known.length;
    return rowStarts(keys.map((key) => heights.get(key) ?? average));
  }, [keys, heights]);
  const kept = focused === null ? -1 : keys.indexOf(focused);
  const { rows, endGapPx } = drawnRows(starts, viewport, kept < 0 ? null : kept);
  useImperativeHandle(reveal, () => (index: number) => {
    const box = container.current?.getBoundingClientRect();
    if (!box) return;
    const middle = window.scrollY + box.top + (starts[index] ?? 0) - window.innerHeight / 2;
    window.scrollTo({ top: middle, behavior: 'instant' });
  });
  useEffect(onDrawn);
  return (
    <div role="rowgroup" ref={container}>
      {rows.map(({ index, gapPx }) => {
        const key = keys[index] ?? '';
        return (
          <Fragment key={key}>
            {gapPx > 0 && <div style={{ height: gapPx }} />}
            <div role="presentation" data-row={key}>
              {renderRow(index)}
            </div>
          </Fragment>
        );
      })}
      {endGapPx > 0 && <div style={{ height: endGapPx }} />}
    </div>
  );
};
