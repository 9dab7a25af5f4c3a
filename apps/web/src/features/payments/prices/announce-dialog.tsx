import { maxPriceReasonLength, type AnnouncedPrices, type PricePreview } from '@tapedeck/payments/contract';
import { useCallback, useEffect, useId, useState, type FormEvent, type JSX } from 'react';
import { failureOf } from '../../../api/problem-text.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatDay } from '../../../ui/format.ts';
import { InlineError } from '../../../ui/inline-error.tsx';
import { ReasonField } from '../../../ui/reason-field.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { membersText, planText, priceText, type PlanPrice } from './price-words.ts';
import { useAnnouncePriceMutation, usePreviewPriceMutation } from './prices.api.ts';

const minReasonLength = 3;

const Facts = ({ preview }: Readonly<{ preview: PricePreview }>): JSX.Element => (
  <dl className="facts money-preview">
    {preview.formerAmounts.map(({ amount, currency, subscriptions }) => (
      <div key={`${amount} ${currency}`}>
        <dt>Today</dt>
        <dd>
          {priceText({ amount, currency }, preview)}: {membersText(subscriptions)}
        </dd>
      </div>
    ))}
    <div>
      <dt>New price</dt>
      <dd>
        {priceText(preview, preview)}, first at the renewal on or after {formatDay(preview.from)}
      </dd>
    </div>
    <div>
      <dt>Notice</dt>
      <dd>an e-mail to each member now, at least {preview.noticeDays} days before the first charge</dd>
    </div>
  </dl>
);

type Failed = Readonly<{ previewId: string; error: object }>;

type FormProps = Readonly<{ plan: PlanPrice; earliestFrom: string; onClose: () => void }>;

const isFor = ({ tier, period, from }: PricePreview, plan: PlanPrice, day: string): boolean =>
  tier === plan.tier && period === plan.period && from.slice(0, 10) === day;

const AnnounceForm = ({
  plan,
  earliestFrom,
  titleId,
  onClose,
}: FormProps & Readonly<{ titleId: string }>): JSX.Element => {
  const { tier, period } = plan;
  const [from, setFrom] = useState(earliestFrom);
  const [reason, setReason] = useState('');
  const [request, { data, error, isLoading }] = usePreviewPriceMutation();
  const [announce, { isLoading: isAnnouncing }] = useAnnouncePriceMutation();
  const [failed, setFailed] = useState<Failed | null>(null);
  const [dayId, reasonId, formId] = [useId(), useId(), useId()];
  const isDay = from !== '';
  const compute = useCallback((): void => {
    if (isDay) void request({ tier, period, from });
  }, [tier, period, from, isDay, request]);
  useEffect(compute, [compute]);
  const retry = (): void => {
    compute();
    // The pressed button disappears.
    document.getElementById(reasonId)?.focus();
  };
  const isCurrent = data !== undefined && !isLoading && !error && isFor(data, plan, from);
  // What was refused has to be looked at again.
  const refusal = failed !== null && failed.previewId === data?.previewId ? failed.error : undefined;
  const preview = isCurrent && !refusal ? data : undefined;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!preview || isAnnouncing) return;
    const { previewId } = preview;
    const { error: refused } = await announce({ previewId, reason: reason.trim() });
    if (refused) return setFailed({ previewId, error: refused });
    showToast({ kind: 'ok', title: 'Announced', text: 'The members are notified by e-mail within minutes.' });
    onClose();
  };
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>Announce the price of {planText(plan)}?</h2>
        <form id={formId} onSubmit={(event) => void submit(event)}>
          <div className="field">
            <label className="label" htmlFor={dayId}>
              From
            </label>
            <input
              className="input"
              id={dayId}
              type="date"
              required
              min={earliestFrom}
              value={from}
              onChange={({ target }) => setFrom(target.value)}
            />
            <span className="hint">Renewals before this day (UTC) are charged as before.</span>
          </div>
          <div role="status">
            {isLoading && <p className="meta">Computing who is affected...</p>}
            {isCurrent && <Facts preview={data} />}
          </div>
          <ReasonField
            id={reasonId}
            value={reason}
            minLength={minReasonLength}
            maxLength={maxPriceReasonLength}
            hint="This is recorded with your name. Members do not see it."
            onChange={setReason}
          />
        </form>
        <InlineError
          problem={failureOf(refusal ?? error, 'It is not known whether it was announced: look at it again.')}
        >
          <div className="row">
            <button className="btn btn--sm" type="button" onClick={retry}>
              Look at it again
            </button>
          </div>
        </InlineError>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className="btn btn--primary"
          type="submit"
          form={formId}
          isBusy={isAnnouncing || isLoading}
          disabled={!preview || reason.trim().length < minReasonLength}
        >
          {isAnnouncing ? 'Announcing...' : 'Announce to the members'}
        </ActionButton>
      </div>
    </>
  );
};

type DialogProps = Readonly<{
  /** Null while it is closed. */
  plan: PlanPrice | null;
  prices: AnnouncedPrices;
  onClose: () => void;
}>;

/** Shows whom a price concerns, asks why, and announces exactly that. */
export const AnnounceDialog = ({ plan, prices, onClose }: DialogProps): JSX.Element => {
  const titleId = useId();
  return (
    <Dialog isOpen={plan !== null} titleId={titleId} onClose={onClose}>
      {plan && (
        <AnnounceForm plan={plan} earliestFrom={prices.earliestFrom} titleId={titleId} onClose={onClose} />
      )}
    </Dialog>
  );
};
