import type { Plan } from '@tapedeck/plans/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { termsPath } from '../../api/site.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { shownPrice, type PlanOffers } from './plans.ts';
import { emailProblem } from './typed-texts.ts';

const titleId = 'checkout-title';
type EmailFormProps = Readonly<{
  plan: Plan;
  offers: PlanOffers;
  isPending: boolean;
  onSubmit: (email: string) => void;
  onClose: () => void;
}>;

const EmailForm = ({ plan, offers, isPending, onSubmit, onClose }: EmailFormProps): JSX.Element => {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = emailProblem(email.trim());
    setProblem(found?.text ?? null);
    if (found) showToast({ kind: 'danger', ...found });
    else onSubmit(email.trim());
  };
  const price = shownPrice(plan, offers);
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
          {price?.renewal} Cancel at any time in My Account. <Link to={termsPath}>Terms of service</Link>
        </p>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          className="btn btn--primary"
          type="submit"
          disabled={email.trim() === '' || isPending || !price}
        >
          {isPending ? 'Processing...' : (price?.button ?? 'Pay')}
        </button>
      </div>
    </form>
  );
};

export type EmailDialogProps = Readonly<Omit<EmailFormProps, 'plan'> & { plan: Plan | null }>;

/** Asks a visitor for an address before the payment page. */
export const EmailDialog = ({ plan, ...form }: EmailDialogProps): JSX.Element => (
  <Dialog isOpen={plan !== null} titleId={titleId} onClose={form.onClose}>
    {plan && <EmailForm plan={plan} {...form} />}
  </Dialog>
);
