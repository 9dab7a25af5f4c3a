import {
  Fragment,
  lazy,
  Suspense,
  useEffect,
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

/** Up to this number every row is in the page, where the browser's search finds it. */
const maxDrawn = 200;

const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows }));

const AllRows = ({ count, keyOf, renderRow, container, onDrawn }: RowsProps): JSX.Element => {
  useEffect(onDrawn);
  return (
    <div role="rowgroup" ref={container}>
      {Array.from({ length: count }, (_, index) => (
        <Fragment key={keyOf(index)}>{renderRow(index)}</Fragment>
      ))}
    </div>
  );
};

export const Rows = (props: RowsProps): JSX.Element => {
  const [isLong, setLong] = useState(false);
  // It stays so: drawn anew, the rows would lose the focus.
  if (!isLong && props.count > maxDrawn) setLong(true);
  if (!isLong) return <AllRows {...props} />;
  return (
    <Suspense fallback={<div role="rowgroup" aria-busy="true" />}>
      <VirtualRows {...props} />
    </Suspense>
  );
};
