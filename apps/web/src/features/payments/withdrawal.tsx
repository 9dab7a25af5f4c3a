import type { Billing, WithdrawalReceived } from '@tapedeck/payments/contract';
import { useEffect, useRef, useState, type JSX } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { useWithdrawMutation } from './payments.api.ts';
import { useScreenFollows } from './use-screen-follows.ts';

type Contract = Billing['withdrawable'][number];

const titleId = 'withdraw-title';

const nameOf = ({ plan }: Contract): string => (plan ? `${plan.tier} (${plan.period})` : 'your subscription');
const moneyOf = ({ amount, currency }: Contract): string => formatMoney(amount, currency);
/** `until` is the midnight after it. */
const lastDayOf = ({ until }: Contract): string => formatDay(new Date(Date.parse(until) - 1).toISOString());

const endText = (contract: Contract): string => {
  const name = `Your contract for ${nameOf(contract)} of ${formatDay(contract.paidAt)}`;
  return contract.hasEnded ? `${name} has ended already.` : `${name} ends at once, and with it your access.`;
};

const confirmationText = (contract: Contract): string =>
  [
    endText(contract),
    ...(contract.amount > 0 ? [`${moneyOf(contract)} goes back to the card.`] : []),
    ...(contract.isDisputed ? ['A payment is disputed: your bank decides about it.'] : []),
    'This cannot be undone.',
  ].join(' ');

/** What a withdrawal does, in short. */
const meaningOf = ({ hasEnded, isDisputed }: Contract): string => {
  const back = isDisputed ? 'what is not disputed goes back' : 'what you have paid goes back';
  return hasEnded ? back : `it ends at once, and ${back}`;
};

type ConfirmationProps = Readonly<{
  contract: Contract;
  /** Where the acknowledgement goes. */
  email: string;
  onReceived: (received: WithdrawalReceived) => void;
  onClose: () => void;
}>;

const Confirmation = ({ contract, email, onReceived, onClose }: ConfirmationProps): JSX.Element => {
  const [withdraw, { isLoading }] = useWithdrawMutation();
  const [problem, setProblem] = useState<Problem | null>(null);
  const { isFollowing, follow } = useScreenFollows();
  const confirm = async (): Promise<void> => {
    setProblem(null);
    const { data, error } = await withdraw({ subscriptionId: contract.subscriptionId });
    if (!data) return setProblem(failureOf(error, 'Your withdrawal was not received. Please try again.'));
    await follow();
    onReceived(data);
  };
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>Withdraw from the contract?</h2>
        <p>{confirmationText(contract)}</p>
        <p>We send the acknowledgement, with date and time, to {email}.</p>
        <InlineError problem={problem} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Keep the contract
        </button>
        <ActionButton
          className="btn btn--danger-fill"
          type="button"
          isBusy={isLoading || isFollowing}
          onClick={() => void confirm()}
        >
          {isLoading || isFollowing ? 'Processing...' : 'Confirm withdrawal'}
        </ActionButton>
      </div>
    </>
  );
};

/** Gets the focus: the button that led to it is gone. */
const Acknowledgement = ({ message }: Readonly<{ message: string }>): JSX.Element => {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div className="notice" role="status" tabIndex={-1} ref={notice}>
      <Icon name="check" />
      <div>{message}</div>
    </div>
  );
};

export type WithdrawalsProps = Readonly<{ withdrawable: readonly Contract[]; email: string }>;

/** While the law lets a member withdraw from a contract, it is one button and one confirmation away. */
export const Withdrawals = ({ withdrawable, email }: WithdrawalsProps): JSX.Element => {
  const [chosen, setChosen] = useState<Contract | null>(null);
  const [received, setReceived] = useState<WithdrawalReceived | null>(null);
  const close = (): void => setChosen(null);
  return (
    <>
      {withdrawable.map((contract) => (
        <div key={contract.subscriptionId} className="stack">
          <p className="meta">
            You can withdraw from the contract for {nameOf(contract)} of {formatDay(contract.paidAt)} until{' '}
            {lastDayOf(contract)} (UTC): {meaningOf(contract)}.
          </p>
          <div className="row">
            <button className="btn" type="button" onClick={() => setChosen(contract)}>
              Withdraw from contract here
            </button>
          </div>
        </div>
      ))}
      {received && !chosen && <Acknowledgement message={received.message} />}
      <Dialog isOpen={chosen !== null} titleId={titleId} onClose={close}>
        {chosen && (
          <Confirmation
            contract={chosen}
            email={email}
            onReceived={(answer) => {
              setReceived(answer);
              close();
            }}
            onClose={close}
          />
        )}
      </Dialog>
    </>
  );
};
