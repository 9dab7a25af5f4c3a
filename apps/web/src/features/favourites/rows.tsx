import { Fragment, useEffect, useState, type JSX } from 'react';
import { VirtualRows, type RowsProps } from './virtual-rows.tsx';

/** Up to this number every row is in the page, where the browser's search finds it. */
const maxDrawn = 200;

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
  // It stays so: drawn again, the rows would lose the focus.
  if (!isLong && props.count > maxDrawn) setLong(true);
  return isLong ? <VirtualRows {...props} /> : <AllRows {...props} />;
};
