import { maxMoneyReasonLength, type ActionOutcome, type ActionPreview } from '@tapedeck/payments/contract';
import { useId, useState, type FormEvent, type JSX, type ReactNode } from 'react';
import { ActionButton } from '../../../ui/action-button.tsx';
import { InlineError, type Problem } from '../../../ui/inline-error.tsx';
import { ReasonField } from '../../../ui/reason-field.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { PreviewFacts } from './preview-facts.tsx';

const minReasonLength = 3;

/** What would be done, as far as it is known. */
export type Shown = Readonly<{
  /** Undefined while nothing is chosen, it is computed, or cannot be done. */
  preview: ActionPreview | undefined;
  isComputing: boolean;
  /** Why it cannot be done, or was not. */
  problem: Problem | null;
  /** Computes it again. */
  onRetry: () => void;
}>;

export type ConfirmFormProps = Readonly<{
  titleId: string;
  title: string;
  /** What is to be chosen before. */
  children?: ReactNode;
  shown: Shown;
  isConfirming: boolean;
  /** The text of the button that does it. */
  action: string;
  isDangerous?: boolean;
  /** Undefined when it has failed. */
  onConfirm: (preview: ActionPreview, reason: string) => Promise<ActionOutcome | undefined>;
  onClose: () => void;
}>;

const titles: Readonly<Record<'done' | 'processing' | 'proposed', string>> = {
  done: 'Done',
  processing: 'Under way',
  proposed: 'Proposed',
};

const Result = ({ shown }: Readonly<{ shown: Shown }>): JSX.Element => (
  <div role="status">
    {shown.isComputing && <p className="meta">Computing what it does...</p>}
    {shown.preview && !shown.isComputing && <PreviewFacts preview={shown.preview} />}
  </div>
);

/** Shows what an action does, asks why, and does exactly that. */
export const ConfirmForm = (props: ConfirmFormProps): JSX.Element => {
  const { titleId, title, children, shown, isConfirming, action, isDangerous, onConfirm, onClose } = props;
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const [formId, fieldId] = [useId(), useId()];
  const { preview } = shown;
  const retry = (): void => {
    shown.onRetry();
    // The pressed button disappears.
    document.getElementById(fieldId)?.focus();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isConfirming || !preview) return;
    const outcome = await onConfirm(preview, reason.trim());
    if (!outcome) return;
    const { state, message } = outcome;
    if (state === 'refused') return setRefused(message);
    showToast({ kind: 'ok', title: titles[state], text: message });
    onClose();
  };
  if (refused !== null)
    return (
      <>
        <div className="dialog-body">
          <h2 id={titleId}>{title}</h2>
          <InlineError problem={{ text: refused, details: null }} />
        </div>
        <div className="dialog-actions">
          <button className="btn btn--primary" type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </>
    );
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
        <Result shown={shown} />
        <form id={formId} onSubmit={(event) => void submit(event)}>
          <ReasonField
            id={fieldId}
            value={reason}
            minLength={minReasonLength}
            maxLength={maxMoneyReasonLength}
            onChange={setReason}
          />
        </form>
        <InlineError problem={shown.problem}>
          <div className="row">
            <button className="btn btn--sm" type="button" onClick={retry}>
              Compute it again
            </button>
          </div>
        </InlineError>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className={`btn ${isDangerous ? 'btn--danger-fill' : 'btn--primary'}`}
          type="submit"
          form={formId}
          isBusy={isConfirming || shown.isComputing}
          disabled={!preview || reason.trim().length < minReasonLength}
        >
          {isConfirming ? 'Processing...' : action}
        </ActionButton>
      </div>
    </>
  );
};
