import { useEffect, useRef, useState, type FormEvent, type JSX } from 'react';
import { termsPath } from '../../../api/site.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InlineError, type Problem } from '../../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../../ui/toasts.tsx';
import { emailProblem } from '../typed-texts.ts';
import type { PlanChoice } from './plan-choice.ts';

const titleId = 'checkout-title';
const cause = 'checkout-email';
const hideRefusal = (): void => hideToast(cause);

type EmailFormProps = Readonly<{
  plan: PlanChoice;
  isPending: boolean;
  /** Why the payment page was not opened. */
  problem: Problem | null;
  onSubmit: (email: string) => void;
  onClose: () => void;
}>;

const EmailForm = ({ plan, isPending, problem, onSubmit, onClose }: EmailFormProps): JSX.Element => {
  const [email, setEmail] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => hideRefusal, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = emailProblem(email.trim());
    setRefusal(found?.text ?? null);
    if (!found) return onSubmit(email.trim());
    field.current?.focus();
    showToast({ kind: 'danger', ...found, cause });
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className="dialog-body">
        <h2 id={titleId}>Where should we send your receipt?</h2>
        <p>You can finish signing up after the payment. Use the address you will sign in with.</p>
        <div className="field">
          <label className="label" htmlFor="checkout-email">
            E-mail address
          </label>
          <input
            className="input"
            id="checkout-email"
            ref={field}
            type="email"
            autoComplete="email"
            placeholder="you@example.com"
            value={email}
            aria-invalid={refusal !== null}
            aria-describedby="checkout-problem checkout-terms"
            onChange={({ target }) => {
              setEmail(target.value);
              setRefusal(null);
              hideRefusal();
            }}
          />
          <span className="error" id="checkout-problem" role="status">
            {refusal}
          </span>
        </div>
        <InlineError problem={problem} />
        <p className="hint" id="checkout-terms">
          {plan.renewal} Cancel at any time in My Account. <a href={termsPath}>Terms of Service</a>
        </p>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className="btn btn--primary"
          type="submit"
          isBusy={isPending}
          disabled={email.trim() === ''}
        >
          {isPending ? 'Processing...' : plan.button}
        </ActionButton>
      </div>
    </form>
  );
};

export type EmailDialogProps = Readonly<Omit<EmailFormProps, 'plan'> & { plan: PlanChoice | null }>;

/** Asks a visitor for an address before the payment page. */
export const EmailDialog = ({ plan, ...form }: EmailDialogProps): JSX.Element => (
  <Dialog isOpen={plan !== null} titleId={titleId} onClose={form.onClose}>
    {plan && <EmailForm plan={plan} {...form} />}
  </Dialog>
);
