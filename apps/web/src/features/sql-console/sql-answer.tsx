import { csvText } from '@tapedeck/kernel';
import type { SqlAnswer as Answer } from '@tapedeck/sql-console/contract';
import { useState, type JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { formatWhole } from '../../ui/format.ts';
import { Committed, DryRun, type ChangeResultProps } from './change-result.tsx';
import { errorPlace } from './error-place.ts';
import { PlanTree } from './plan-tree.tsx';
import { ResultTable } from './result-table.tsx';
import type { Executed } from './use-sql-console.ts';

/** So many rows are shown whole; of more, the count and the first one, until they are asked for. */
const shownWhole = 10;

const download = (answer: Answer): void => {
  const csv = csvText([answer.columns, ...answer.rows], true);
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `query-${answer.queryId}.csv`;
  link.click();
  URL.revokeObjectURL(url);
};

const Failure = ({ answer, text }: Executed): JSX.Element => {
  const { sqlState, message, position } = answer.error ?? { sqlState: '', message: '', position: null };
  const place = position === null ? null : errorPlace(text, position);
  return (
    <div className="card-pad">
      <div className="notice notice--danger">
        <Icon name="warn" />
        <div>
          <strong>{message}</strong>
          <div className="meta">
            SQLSTATE {sqlState}
            {place && `, line ${place.line}, column ${place.column}`}
          </div>
        </div>
      </div>
    </div>
  );
};

const countText = ({ rows, truncated }: Answer): string => {
  if (truncated) return `The first ${formatWhole(rows.length)} rows; there are more`;
  return `${formatWhole(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
};

const Rows = ({ answer }: Readonly<{ answer: Answer }>): JSX.Element => {
  const [isWhole, setWhole] = useState(false);
  const { columns, rows } = answer;
  if (columns.length === 0) return <p className="card-pad">No data returned</p>;
  if (rows.length === 0) return <p className="card-pad">Query executed successfully - 0 rows returned</p>;
  const isShort = rows.length > shownWhole && !isWhole;
  return (
    <>
      <div className="sql-result-head">
        <span>
          {countText(answer)}
          {isShort && '. This is the first one:'}
        </span>
        {isShort && (
          <button className="btn btn--sm" type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        )}
        <button className="btn btn--sm push" type="button" onClick={() => download(answer)}>
          <Icon name="download" />
          CSV
        </button>
      </div>
      <ResultTable columns={columns} rows={isShort ? rows.slice(0, 1) : rows} />
    </>
  );
};

const Content = ({ executed, onCommit }: ChangeResultProps): JSX.Element => {
  const { answer } = executed;
  if (answer.error) return <Failure {...executed} />;
  switch (answer.kind) {
    case 'rows':
      return <Rows answer={answer} />;
    case 'plan':
      return (
        <div className="card-pad">
          <PlanTree text={answer.rows[0]?.[0]} />
        </div>
      );
    case 'changes':
      return <DryRun executed={executed} onCommit={onCommit} />;
    case 'committed':
      return <Committed count={answer.rowCount} />;
  }
};

/** What became of a statement. */
export const SqlAnswer = (props: ChangeResultProps): JSX.Element => {
  const { queryId, milliseconds } = props.executed.answer;
  return (
    <section className="card" aria-labelledby="sql-answer-title">
      <div className="card-head">
        <h2 id="sql-answer-title">Result</h2>
        <span className="meta push">{formatWhole(milliseconds)} ms</span>
      </div>
      <Content key={queryId} {...props} />
    </section>
  );
};
