import { maxStatementNameLength } from '@tapedeck/sql-console/contract';
import { useId, useRef, useState, type FormEvent, type JSX } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import type { Outcome } from '../../api/succeeded.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';

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
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [fieldId, problemId] = [`${titleId}-name`, `${titleId}-problem`];
  // Anything else is a fault that is not the name's.
  const isRefused = problem?.details === null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { error } = await onName(name.trim());
    setBusy(false);
    const failed = failureOf(error, 'It was not saved: try again.');
    setProblem(failed);
    if (!failed) onClose();
    else if (failed.details === null) field.current?.focus();
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
            ref={field}
            required
            maxLength={maxStatementNameLength}
            value={name}
            aria-invalid={isRefused}
            aria-describedby={isRefused ? problemId : undefined}
            onChange={({ target }) => {
              setName(target.value);
              setProblem(null);
            }}
          />
          {isRefused && (
            <span className="error" id={problemId} role="alert">
              {problem.text}
            </span>
          )}
        </div>
        <InlineError problem={isRefused ? null : problem} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className="btn btn--primary"
          type="submit"
          isBusy={isBusy}
          disabled={name.trim() === ''}
        >
          {action}
        </ActionButton>
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
