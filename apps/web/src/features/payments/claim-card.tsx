import type { Billing, LinkedPayment } from '@tapedeck/payments/contract';
import { useEffect, useRef, useState, type FormEvent, type JSX } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { formatDay } from '../../ui/format.ts';
import { InlineError } from '../../ui/inline-error.tsx';
import { useClaimPurchaseMutation, useSendClaimCodeMutation } from './payments.api.ts';
import { codeOf } from './typed-texts.ts';
import { useScreenFollows } from './use-screen-follows.ts';

const EmailStep = ({ email, onSent }: Readonly<{ email: string; onSent: () => void }>): JSX.Element => {
  const [address, setAddress] = useState(email);
  const [sendCode, { isLoading, error }] = useSendClaimCodeMutation();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if ((await sendCode(address.trim())).data) onSent();
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <div className="field">
        <label className="label" htmlFor="claim-email">
          E-mail address of the purchase
        </label>
        <input
          className="input"
          id="claim-email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      </div>
      <InlineError problem={failureOf(error, 'The code could not be sent. Please try again.')} />
      <ActionButton className="btn" type="submit" isBusy={isLoading} disabled={address.trim() === ''}>
        {isLoading ? 'Sending...' : 'Send me a code'}
      </ActionButton>
    </form>
  );
};

type CodeStepProps = Readonly<{ onDone: (purchase: LinkedPayment) => void; onBack: () => void }>;

const CodeStep = ({ onDone, onBack }: CodeStepProps): JSX.Element => {
  const [code, setCode] = useState('');
  const [claim, { isLoading, error }] = useClaimPurchaseMutation();
  const { isFollowing, follow } = useScreenFollows();
  const field = useRef<HTMLInputElement>(null);
  // The button that had the focus is no longer there.
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { data } = await claim(code);
    await follow();
    if (data) onDone(data);
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <p role="status">We have sent a code to this address: enter it within 30 minutes.</p>
      <div className="field">
        <label className="label" htmlFor="claim-code">
          Six-digit code from the e-mail
        </label>
        <input
          className="input code-input"
          id="claim-code"
          ref={field}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ target }) => setCode(codeOf(target.value))}
        />
      </div>
      <InlineError problem={failureOf(error, 'The purchase could not be claimed. Please try again.')} />
      <div className="row">
        <ActionButton
          className="btn btn--primary"
          type="submit"
          isBusy={isLoading || isFollowing}
          disabled={code.length < 6}
        >
          {isLoading || isFollowing ? 'Processing...' : 'Claim the purchase'}
        </ActionButton>
        <button className="btn btn--quiet" type="button" onClick={onBack}>
          Use another address
        </button>
      </div>
    </form>
  );
};

const Claimed = ({ tier }: Pick<LinkedPayment, 'tier'>): JSX.Element => {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div className="notice notice--ok" role="status" tabIndex={-1} ref={notice}>
      {tier} is now part of this account.
    </div>
  );
};

export type ClaimCardProps = Readonly<{ email: string; unclaimed: Billing['unclaimed'] }>;

/** Adds a purchase to the account of a member who can read the buyer's mail. */
export const ClaimCard = ({ email, unclaimed }: ClaimCardProps): JSX.Element => {
  const [step, setStep] = useState<'email' | 'code'>('email');
  const [claimed, setClaimed] = useState<LinkedPayment | null>(null);
  return (
    <section className="card" aria-labelledby="claim-title">
      <div className="card-head">
        <h2 id="claim-title">Claim a purchase</h2>
      </div>
      <div className="card-pad stack">
        {claimed && <Claimed tier={claimed.tier} />}
        {!claimed &&
          unclaimed.map(({ tier, period, paidAt }) => (
            <div className="notice notice--warn" key={paidAt}>
              {tier}, {period}, paid on {formatDay(paidAt)} with your address, belongs to no account yet.
            </div>
          ))}
        <p className="meta">
          Did you pay before you signed up, or with another address? A code proves that it was you.
        </p>
        {step === 'email' ? (
          <EmailStep email={email} onSent={() => setStep('code')} />
        ) : (
          <CodeStep
            onDone={(purchase) => {
              setClaimed(purchase);
              setStep('email');
            }}
            onBack={() => setStep('email')}
          />
        )}
      </div>
    </section>
  );
};
