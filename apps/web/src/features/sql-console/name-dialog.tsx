import { maxStatementNameLength } from '@tapedeck/sql-console/contract';
import { useId, useState, type FormEvent, type JSX } from 'react';
import { problemText } from '../../api/problem-text.ts';
import type { Outcome } from '../../api/succeeded.ts';
import { Dialog } from '../../ui/dialog.tsx';

export type NameDialogProps = Readonly<{
  isOpen: boolean;
  title: string;
  name?: string;
  action: string;
  /** Closes the dialog when it succeeds. */
  onName: (name: string) => Promise<Outcome>;
  onClose: () => void;
}>;

const NameForm = (props: NameDialogProps & Readonly<{ titleId: string }>): JSX.Element => {
  const { titleId, title, action, onName, onClose } = props;
  const [name, setName] = useState(props.name ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [fieldId, problemId] = [`${titleId}-name`, `${titleId}-problem`];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const { error } = await onName(name.trim());
    setBusy(false);
    if (error) setProblem(problemText(error, 'It was not saved: try again.'));
    else onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        <div className="field">
          <label className="label" htmlFor={fieldId}>
            Name
          </label>
          <input
            className="input"
            id={fieldId}
            required
            maxLength={maxStatementNameLength}
            value={name}
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : problemId}
            onChange={({ target }) => {
              setName(target.value);
              setProblem(null);
            }}
          />
          {problem !== null && (
            <span className="error" id={problemId} role="alert">
              {problem}
            </span>
          )}
        </div>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button className="btn btn--primary" type="submit" disabled={isBusy || name.trim() === ''}>
          {action}
        </button>
      </div>
    </form>
  );
};

/** Asks for the name of a saved statement. */
export const NameDialog = (props: NameDialogProps): JSX.Element => {
  const titleId = useId();
  return (
    <Dialog isOpen={props.isOpen} titleId={titleId} onClose={props.onClose}>
      <NameForm {...props} titleId={titleId} />
    </Dialog>
  );
};
