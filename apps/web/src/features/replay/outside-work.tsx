import type { OutsideWork } from '@tapedeck/replay/contract';
import type { JSX } from 'react';
import { formatTime } from '../../ui/format.ts';
import { counted } from './replay-words.ts';

const kindNames = { stripe: 'request to Stripe', mail: 'mail' } as const;

/** @example sentText([aRefund, aMail]) // '1 request to Stripe and 1 mail' */
export const sentText = (work: readonly Pick<OutsideWork, 'kind'>[]): string =>
  (['stripe', 'mail'] as const)
    .map((kind) => [kindNames[kind], work.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => counted(count, name))
    .join(' and ');

export type OutsideWorkListProps = Readonly<{
  work: readonly OutsideWork[];
  /** Keys of those that are sent. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}>;

/** The parked requests and mails, each with its name: none is sent that is not chosen. */
export const OutsideWorkList = ({ work, chosen, onChange }: OutsideWorkListProps): JSX.Element => {
  const toggle = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <fieldset className="replay-outside">
      <legend className="label">Parked requests and mails</legend>
      <p className="hint">They stay parked unless you choose them here. What is sent cannot be undone.</p>
      <ul>
        {work.map(({ key, kind, text, stream, isHeld, error, since }) => (
          <li key={key}>
            <label className="check">
              <input type="checkbox" checked={chosen.has(key)} onChange={() => toggle(key)} />
              <span>
                {kind === 'stripe' ? 'Request to Stripe' : 'Mail'}: {text}
                <span className="hint">
                  {isHeld ? 'Held after a replay' : 'Parked'} since {formatTime(since)}
                  {!isHeld && error !== null && `: ${error}`} · <span className="mono">{stream}</span>
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
};

export type SendConfirmationProps = Readonly<{
  work: readonly OutsideWork[];
  isConfirmed: boolean;
  onChange: (isConfirmed: boolean) => void;
}>;

/** Separate from the confirmation of the difference: this one leaves the product. */
export const SendConfirmation = ({ work, isConfirmed, onChange }: SendConfirmationProps): JSX.Element => (
  <label className="check replay-confirm">
    <input type="checkbox" checked={isConfirmed} onChange={({ target }) => onChange(target.checked)} />
    <span>Yes, send {sentText(work)}</span>
  </label>
);
