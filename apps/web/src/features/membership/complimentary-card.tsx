import type { GrantAccessBody } from '@tapedeck/membership/contract';
import { grantedTiers, popularTier } from '@tapedeck/plans/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { InlineError } from '../../ui/inline-error.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { useGrantAccessMutation, useRevokeAccessMutation } from './membership.api.ts';

const maxReasonLength = 500;

type FormProps = Readonly<{ accountId: string; onClose: () => void }>;

/** The end of a day in UTC. */
const endOfDay = (day: string): string | null => (day === '' ? null : `${day}T23:59:59.999Z`);

const GrantForm = ({ accountId, onClose }: FormProps): JSX.Element => {
  const [tier, setTier] = useState<GrantAccessBody['tier']>(popularTier);
  const [lastDay, setLastDay] = useState('');
  const [reason, setReason] = useState('');
  const [grant, { isLoading, error }] = useGrantAccessMutation();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const body: GrantAccessBody = { tier, until: endOfDay(lastDay), reason };
    const answer = await grant({ accountId, body });
    if (!answer.error) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id="grant-title">Grant complimentary access</h2>
        <div className="field">
          <label className="label" htmlFor="grant-tier">
            Tier
          </label>
          <span className="select">
            <select
              id="grant-tier"
              value={tier}
              onChange={({ target }) => setTier(grantedTiers.find((one) => one === target.value) ?? tier)}
            >
              {grantedTiers.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
            <Icon name="down" small />
          </span>
        </div>
        <div className="field">
          <label className="label" htmlFor="grant-until">
            Last day (UTC), empty for no end
          </label>
          <input
            className="input"
            id="grant-until"
            type="date"
            value={lastDay}
            onChange={({ target }) => setLastDay(target.value)}
          />
        </div>
        <ReasonField maxLength={maxReasonLength} id="grant-reason" value={reason} onChange={setReason} />
        <InlineError problem={failureOf(error, 'Nothing was granted: try again.')} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className="btn btn--primary"
          type="submit"
          isBusy={isLoading}
          disabled={reason.trim() === ''}
        >
          {isLoading ? 'Granting...' : 'Grant access'}
        </ActionButton>
      </div>
    </form>
  );
};

const RevokeForm = ({ accountId, onClose }: FormProps): JSX.Element => {
  const [reason, setReason] = useState('');
  const [revoke, { isLoading, error }] = useRevokeAccessMutation();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await revoke({ accountId, body: { reason } });
    if (!answer.error) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id="revoke-title">Revoke complimentary access?</h2>
        <p>Everything that was granted ends at once. What is paid for stays.</p>
        <ReasonField maxLength={maxReasonLength} id="revoke-reason" value={reason} onChange={setReason} />
        <InlineError problem={failureOf(error, 'Nothing was revoked: try again.')} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Keep it
        </button>
        <ActionButton
          className="btn btn--danger-fill"
          type="submit"
          isBusy={isLoading}
          disabled={reason.trim() === ''}
        >
          {isLoading ? 'Revoking...' : 'Revoke access'}
        </ActionButton>
      </div>
    </form>
  );
};

export type ComplimentaryCardProps = Readonly<{
  accountId: string;
  /** The tier that is granted now, and until when, as text; null without a grant. */
  granted: Readonly<{ tier: string; until: string }> | null;
}>;

/** What support has granted, and the commands for it. */
export const ComplimentaryCard = ({ accountId, granted }: ComplimentaryCardProps): JSX.Element => {
  const [opened, setOpened] = useState<'grant' | 'revoke' | null>(null);
  const close = (): void => setOpened(null);
  return (
    <section className="card" aria-labelledby="complimentary-title">
      <div className="card-head">
        <h2 id="complimentary-title">Complimentary access</h2>
      </div>
      <div className="card-pad stack">
        <p className="meta">
          {granted ? `${granted.tier} ${granted.until}.` : 'Nothing is granted at present.'}
        </p>
        <div className="row">
          <button className="btn btn--sm" type="button" onClick={() => setOpened('grant')}>
            Grant access
          </button>
          {granted && (
            <button className="btn btn--sm btn--danger" type="button" onClick={() => setOpened('revoke')}>
              Revoke
            </button>
          )}
        </div>
      </div>
      <Dialog isOpen={opened === 'grant'} titleId="grant-title" onClose={close}>
        <GrantForm accountId={accountId} onClose={close} />
      </Dialog>
      <Dialog isOpen={opened === 'revoke'} titleId="revoke-title" onClose={close}>
        <RevokeForm accountId={accountId} onClose={close} />
      </Dialog>
    </section>
  );
};
