import { useState, type FormEvent, type JSX } from 'react';
import { termsPath } from '../../../api/site.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { emailProblem } from '../typed-texts.ts';
import type { PlanChoice } from './plan-choice.ts';

const titleId = 'checkout-title';
type EmailFormProps = Readonly<{
  plan: PlanChoice;
  isPending: boolean;
  onSubmit: (email: string) => void;
  onClose: () => void;
}>;

const EmailForm = ({ plan, isPending, onSubmit, onClose }: EmailFormProps): JSX.Element => {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = emailProblem(email.trim());
    setProblem(found?.text ?? null);
    if (found) showToast({ kind: 'danger', ...found });
    else onSubmit(email.trim());
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
            type="email"
            autoComplete="email"
            placeholder="you@example.com"
            value={email}
            aria-invalid={problem !== null}
            aria-describedby="checkout-problem checkout-terms"
            onChange={({ target }) => {
              setEmail(target.value);
              setProblem(null);
            }}
          />
          <span className="error" id="checkout-problem" role="status">
            {problem}
          </span>
        </div>
        <p className="hint" id="checkout-terms">
          {plan.renewal} Cancel at any time in My Account. <a href={termsPath}>Terms of service</a>
        </p>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button className="btn btn--primary" type="submit" disabled={email.trim() === '' || isPending}>
          {isPending ? 'Processing...' : plan.button}
        </button>
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
