import type { JSX } from 'react';
import { copyText } from '../../ui/browser/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { cellText } from './cell-text.ts';

/** A value of the result, and where it stands. */
export type Cell = Readonly<{ column: string; row: number; value: string }>;

const titleId = 'cell-title';

const sizeText = (value: string): string => {
  const lines = value.split('\n').length;
  return `${formatWhole(value.length)} ${value.length === 1 ? 'character' : 'characters'}${lines > 1 ? `, ${formatWhole(lines)} lines` : ''}`;
};

const Content = ({ cell, onClose }: Readonly<{ cell: Cell; onClose: () => void }>): JSX.Element => {
  const { text, isJson } = cellText(cell.value);
  return (
    <>
      <div className="card-head">
        <h2 className="mono" id={titleId}>
          {cell.column}
        </h2>
        <span className="push row">
          <button
            className="btn btn--sm"
            type="button"
            onClick={() => void copyText(cell.value, 'The value')}
          >
            <Icon name="copy" small />
            Copy
          </button>
          <button
            className="btn btn--quiet btn--icon btn--sm"
            type="button"
            aria-label="Close the value"
            onClick={onClose}
          >
            <Icon name="x" small />
          </button>
        </span>
      </div>
      <p className="meta cell-facts">
        Row {formatWhole(cell.row)}, {sizeText(cell.value)}
        {isJson && ', JSON'}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre className="cell-value" tabIndex={0} role="region" aria-label="Whole value">
        {text}
      </pre>
    </>
  );
};

export type CellDrawerProps = Readonly<{ cell: Cell | null; onClose: () => void }>;

/** The whole of a value that its cell shows only the beginning of. */
export const CellDrawer = ({ cell, onClose }: CellDrawerProps): JSX.Element => (
  <Dialog isOpen={cell !== null} titleId={titleId} className="side-drawer" onClose={onClose}>
    {cell && <Content cell={cell} onClose={onClose} />}
  </Dialog>
);
