import {
  endRefunds,
  type MemberMoney,
  type MoneyPayment,
  type WantedAction,
} from '@tapedeck/payments/contract';
import { useId, useMemo, useState, type JSX, type ReactNode } from 'react';
import { formatDay, formatMoney } from '../../../ui/format.ts';
import { useSettled } from '../../../ui/browser/use-settled.ts';
import { ActionForm, type ActionFormProps } from './action-form.tsx';
import { amountFormHint, minorUnits, typedAmount } from './money-words.ts';

type FormProps = Pick<ActionFormProps, 'titleId' | 'accountId' | 'onClose'> &
  Readonly<{ subscriptionId: string }>;

const settleMs = 300;

export const RefundForm = ({
  payment,
  currency,
  ...form
}: FormProps & Readonly<{ payment: MoneyPayment; currency: string }>): JSX.Element => {
  const { invoiceId, refundable } = payment;
  const [text, setText] = useState(() => typedAmount(refundable, currency));
  const typed = minorUnits(text, currency);
  const amount = useSettled(typed, settleMs);
  const isWrong = typed === null || typed > refundable;
  const [fieldId, hintId] = [useId(), useId()];
  const wanted = useMemo(
    (): WantedAction | null => (amount === null || isWrong ? null : { kind: 'refund', invoiceId, amount }),
    [amount, isWrong, invoiceId],
  );
  return (
    <ActionForm
      {...form}
      title={`Refund the payment of ${formatDay(payment.paidAt)}?`}
      wanted={typed === amount ? wanted : null}
      label="Refund"
      isDangerous
    >
      <div className="field">
        <label className="label" htmlFor={fieldId}>
          Amount ({currency.toUpperCase()})
        </label>
        <input
          className="input"
          id={fieldId}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          aria-describedby={hintId}
          aria-invalid={isWrong}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <span className="hint" id={hintId}>
          {isWrong ? 'Enter an amount up to' : 'All or part of'} {formatMoney(refundable, currency)}, which is
          left of {formatMoney(payment.amount, currency)}. {amountFormHint(text, currency)}
        </span>
      </div>
    </ActionForm>
  );
};

const endTexts = {
  nothing: 'Nothing',
  unused: 'The unused share of the period',
  all: 'All that was paid for the period',
} as const;

export const EndForm = (form: FormProps): JSX.Element => {
  const [refund, setRefund] = useState<(typeof endRefunds)[number]>('unused');
  const wanted = useMemo((): WantedAction => ({ kind: 'end', refund }), [refund]);
  return (
    <ActionForm {...form} title="End the subscription now?" wanted={wanted} label="End now" isDangerous>
      <fieldset>
        <legend className="label">What goes back</legend>
        {endRefunds.map((one) => (
          <label className="radio" key={one}>
            <input type="radio" name="end-refund" checked={refund === one} onChange={() => setRefund(one)} />
            {endTexts[one]}
          </label>
        ))}
      </fieldset>
    </ActionForm>
  );
};

type Member = Readonly<{ accountId: string; name: string }>;
export type RenderPicker = (
  picker: Readonly<{ chosen: Member | null; onChoose: (member: Member | null) => void }>,
) => ReactNode;

export const TransferForm = ({
  renderPicker,
  ...form
}: FormProps & Readonly<{ renderPicker: RenderPicker }>): JSX.Element => {
  const [to, setTo] = useState<Member | null>(null);
  const wanted = useMemo(
    (): WantedAction | null => to && { kind: 'transfer', toAccountId: to.accountId },
    [to],
  );
  return (
    <ActionForm
      {...form}
      title="Transfer the purchase to another member?"
      wanted={wanted}
      label="Transfer"
      isDangerous
    >
      {renderPicker({ chosen: to, onChoose: setTo })}
    </ActionForm>
  );
};

type Purchase = Readonly<{ subscriptionId: string; email: string | null; paidAt: string }> &
  Partial<MemberMoney['unclaimed'][number]>;

const purchaseText = ({ email, tier, period, paidAt }: Purchase): string => {
  const payment = `paid ${formatDay(paidAt)} by ${email ?? 'a deleted address'}`;
  return tier === undefined ? payment : `${tier} (${period}), ${payment}`;
};

export type RenderPurchases = (
  picker: Readonly<{ chosen: string | null; onChoose: (purchase: Purchase) => void }>,
) => ReactNode;

type AttachProps = Omit<FormProps, 'subscriptionId'> &
  Pick<MemberMoney, 'unclaimed'> &
  Readonly<{ renderPurchases: RenderPurchases }>;

export const AttachForm = ({ unclaimed, renderPurchases, ...form }: AttachProps): JSX.Element => {
  const [chosen, setChosen] = useState<string | null>(null);
  const [found, setFound] = useState<Purchase | null>(null);
  const isListed = unclaimed.some(({ subscriptionId }) => subscriptionId === found?.subscriptionId);
  const purchases: readonly Purchase[] = found && !isListed ? [found, ...unclaimed] : unclaimed;
  const choose = (purchase: Purchase): void => {
    setFound(purchase);
    setChosen(purchase.subscriptionId);
  };
  const wanted = useMemo((): WantedAction | null => (chosen === null ? null : { kind: 'attach' }), [chosen]);
  return (
    <ActionForm
      {...form}
      title="Attach a purchase without an owner?"
      subscriptionId={chosen}
      wanted={wanted}
      label="Attach"
    >
      <fieldset className="money-unclaimed">
        <legend className="label">Purchase</legend>
        {purchases.map((one) => (
          <label className="radio" key={one.subscriptionId}>
            <input
              type="radio"
              name="purchase"
              checked={chosen === one.subscriptionId}
              onChange={() => setChosen(one.subscriptionId)}
            />
            <span>
              {purchaseText(one)}
              {one.isOwnAddress === true && ' (the member’s address)'}
              <br />
              <span className="mono meta">{one.subscriptionId}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {renderPurchases({ chosen, onChoose: choose })}
    </ActionForm>
  );
};

const simple = {
  cancel: { title: 'End the subscription with its period?', label: 'End with the period' },
  resume: { title: 'Resume the subscription?', label: 'Resume' },
} as const;

const simpleActions = { cancel: { kind: 'cancel' }, resume: { kind: 'resume' } } as const;

/** What needs no choice. */
export const SimpleForm = ({
  kind,
  ...form
}: FormProps & Readonly<{ kind: keyof typeof simple }>): JSX.Element => (
  <ActionForm {...form} {...simple[kind]} wanted={simpleActions[kind]} />
);

export const RetryForm = ({
  invoiceId,
  ...form
}: FormProps & Readonly<{ invoiceId: string }>): JSX.Element => {
  const wanted = useMemo((): WantedAction => ({ kind: 'retry', invoiceId }), [invoiceId]);
  return <ActionForm {...form} title="Charge the card once more?" wanted={wanted} label="Charge" />;
};
