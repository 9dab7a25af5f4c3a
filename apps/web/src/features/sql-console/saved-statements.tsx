import type { SavedStatement } from '@tapedeck/sql-console/contract';
import { useId, useState, type JSX } from 'react';
import { detailsOf, failureOf } from '../../api/problem-text.ts';
import { useFocusAfterRemoval } from '../../ui/browser/use-focus-after-removal.ts';
import { DangerActions } from '../../ui/danger-actions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InlineError } from '../../ui/inline-error.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { NameDialog } from './name-dialog.tsx';
import {
  useDeleteStatementMutation,
  useRenameStatementMutation,
  useSavedStatementsQuery,
} from './saved-statements.api.ts';

const titleId = 'saved-statements-title';

type Opened = Readonly<{ action: 'rename' | 'delete'; statement: SavedStatement }>;

type DeleteProps = Readonly<{ statement: SavedStatement; titleId: string; onClose: () => void }>;

const DeleteStatement = ({ statement, titleId, onClose }: DeleteProps): JSX.Element => {
  const [deleteStatement, { isLoading, error }] = useDeleteStatementMutation();
  const remove = async (): Promise<void> => {
    const answer = await deleteStatement(statement.id);
    if (!answer.error) onClose();
  };
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>Delete “{statement.name}”?</h2>
        <p>The statements that were executed stay in the history.</p>
        <InlineError problem={failureOf(error, 'It was not deleted: try again.')} />
      </div>
      <DangerActions label="Delete" isBusy={isLoading} onKeep={onClose} onRemove={() => void remove()} />
    </>
  );
};

type RowProps = Readonly<{
  statement: SavedStatement;
  onChoose: (text: string) => void;
  onOpen: (action: Opened['action']) => void;
}>;

const Row = ({ statement, onChoose, onOpen }: RowProps): JSX.Element => {
  const { name, sqlQuery } = statement;
  return (
    <li className="saved-statement" tabIndex={-1}>
      <button className="sql-history-choice" type="button" onClick={() => onChoose(sqlQuery)}>
        <strong>{name}</strong>
        <span className="mono sql-history-text">{sqlQuery}</span>
      </button>
      <div className="saved-statement-actions">
        <button
          className="btn btn--quiet btn--sm"
          type="button"
          aria-label={`Rename ${name}`}
          onClick={() => onOpen('rename')}
        >
          Rename
        </button>
        <button
          className="btn btn--quiet btn--sm"
          type="button"
          aria-label={`Delete ${name}`}
          onClick={() => onOpen('delete')}
        >
          Delete
        </button>
      </div>
    </li>
  );
};

const List = ({ onChoose }: Pick<RowProps, 'onChoose'>): JSX.Element => {
  const { data, error, isFetching, refetch } = useSavedStatementsQuery();
  const [rename] = useRenameStatementMutation();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const deleteTitleId = useId();
  const deleted = opened?.action === 'delete' ? opened.statement : null;
  const renamed = opened?.action === 'rename' ? opened.statement : null;
  if (error && !data) {
    return (
      <div className="card-pad">
        <RetryNotice
          text="The saved statements could not be loaded."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      </div>
    );
  }
  if (!data) return <span className="skeleton card-skeleton" aria-hidden="true" />;
  return (
    <>
      {data.length === 0 && (
        <p className="card-pad meta">Nothing yet. Save a statement that you will need again.</p>
      )}
      <ul className="sql-history">
        {data.map((statement) => (
          <Row
            key={statement.id}
            statement={statement}
            onChoose={onChoose}
            onOpen={(action) => setOpened({ action, statement })}
          />
        ))}
      </ul>
      <NameDialog
        isOpen={renamed !== null}
        title="Rename the statement"
        name={renamed?.name ?? ''}
        action="Rename"
        onName={(name) => rename({ id: renamed?.id ?? '', name })}
        onClose={close}
      />
      <Dialog isOpen={deleted !== null} titleId={deleteTitleId} onClose={close}>
        {deleted && <DeleteStatement statement={deleted} titleId={deleteTitleId} onClose={close} />}
      </Dialog>
    </>
  );
};

/** What the admin has saved, the newest first. */
export const SavedStatements = ({ onChoose }: Pick<RowProps, 'onChoose'>): JSX.Element => {
  const container = useFocusAfterRemoval<HTMLElement>(titleId);
  return (
    <section ref={container} className="card" aria-labelledby={titleId}>
      <div className="card-head">
        <h2 id={titleId} tabIndex={-1}>
          Saved statements
        </h2>
      </div>
      <List onChoose={onChoose} />
    </section>
  );
};
