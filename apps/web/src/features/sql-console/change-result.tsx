import { sqlLimits } from '@tapedeck/sql-console/contract';
import { useState, type JSX } from 'react';
import { formatWhole } from '../../ui/format.ts';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { hideFailedRequest, type Executed, type SqlConsoleView } from './use-sql-console.ts';

const rowsText = (count: number): string => `${formatWhole(count)} ${count === 1 ? 'row' : 'rows'}`;

export type ChangeResultProps = Readonly<{ executed: Executed; onCommit: SqlConsoleView['commit'] }>;

/** What a statement would change, and how it is changed after all. */
export const DryRun = ({ executed, onCommit }: ChangeResultProps): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const { rowCount } = executed.answer;
  const action = `Change ${rowsText(rowCount)}`;
  return (
    <div className="card-pad stack">
      <p role="status">
        <strong>{rowsText(rowCount)} would change.</strong> This was a dry run: nothing was changed.
      </p>
      {rowCount > 0 && (
        <div className="row">
          <button className="btn btn--danger" type="button" onClick={() => setOpen(true)}>
            {action}
          </button>
        </div>
      )}
      <ReasonDialog
        isOpen={isOpen}
        title={`Change ${rowsText(rowCount)} of the catalogue?`}
        maxLength={sqlLimits.reasonLength}
        action={action}
        isDangerous
        onConfirm={(reason) => onCommit(executed, reason)}
        onClose={() => {
          setOpen(false);
          hideFailedRequest();
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
        <pre className="sql-statement" tabIndex={0} aria-label="Statement">
          {executed.text.trim()}
        </pre>
        <p>
          The statement is executed once more. If a different number of rows would change by then, nothing is
          changed.
        </p>
      </ReasonDialog>
    </div>
  );
};

export const Committed = ({ count }: Readonly<{ count: number }>): JSX.Element => (
  <p className="card-pad" role="status">
    <strong>{rowsText(count)} changed.</strong> The change is on the tape, and the explorer shows it in a
    moment.
  </p>
);
