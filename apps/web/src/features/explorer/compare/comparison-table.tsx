import type { ComparedStrategy } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { Figure } from '../../../ui/figure.tsx';
import { missing } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { detailsOf } from '../../../api/problem-text.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { comparedRows, type ComparedCell } from './comparison.ts';

export const comparisonTitleId = 'comparison-title';

const Cell = ({ cell }: Readonly<{ cell: ComparedCell }>): JSX.Element => (
  <td data-best={cell.isBest || undefined}>
    <Figure text={cell.text} className={cell.tone ?? ''} />
    {cell.isBest && <span className="badge best">best</span>}
  </td>
);

type TableProps = Readonly<{ strategies: readonly ComparedStrategy[]; onRemove: (urlId: string) => void }>;

const Table = ({ strategies, onRemove }: TableProps): JSX.Element => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
  <div className="comparison" tabIndex={0} role="region" aria-labelledby={comparisonTitleId}>
    <table>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Figure</span>
          </th>
          {strategies.map(({ url_id: urlId, title, author }) => (
            <th key={urlId} scope="col">
              <div className="comparison-head">
                <Link to={`/strategy/${encodeURIComponent(urlId)}`}>{title}</Link>
                <button
                  className="chip-x"
                  type="button"
                  title="Remove"
                  aria-label={`Remove ${title} from the comparison`}
                  onClick={() => onRemove(urlId)}
                >
                  <Icon name="x" small />
                </button>
              </div>
              <span className="meta">by {author ?? missing}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {comparedRows(strategies).map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <Cell key={strategies[index]?.url_id ?? index} cell={cell} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export type ComparisonProps = Readonly<
  TableProps & {
    isFetching: boolean;
    error: object | undefined;
    onRetry: () => void;
    onClear: () => void;
    onClose: () => void;
  }
>;

const Content = (props: ComparisonProps): JSX.Element => {
  const { strategies, isFetching, error, onRetry, onRemove } = props;
  if (isFetching && strategies.length === 0 && !error) {
    return (
      <p className="meta" role="status">
        Loading the comparison
      </p>
    );
  }
  if (error) {
    return (
      <RetryNotice
        text="The figures could not be loaded."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={onRetry}
      />
    );
  }
  return (
    <Table
      strategies={strategies}
      onRemove={(urlId) => {
        // The button disappears with its column.
        document.getElementById(comparisonTitleId)?.focus();
        onRemove(urlId);
      }}
    />
  );
};

/** The dialog's content: up to four strategies, a column each. */
export const Comparison = (props: ComparisonProps): JSX.Element => (
  <>
    <div className="dialog-body">
      <h2 id={comparisonTitleId} tabIndex={-1}>
        Compare strategies
      </h2>
      <Content {...props} />
    </div>
    <div className="dialog-actions">
      <button className="btn btn--quiet" type="button" onClick={props.onClear}>
        Clear all
      </button>
      <button className="btn" type="button" onClick={props.onClose}>
        Close
      </button>
    </div>
  </>
);
