import { type ChangePreview } from '@tapedeck/payments/contract';
import { changeKind, isSamePlan, paidPlans, type Plan } from '@tapedeck/plans/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { problemText } from '../../api/problem-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { changeTexts, showOutcome } from './billing-actions.ts';
import { useChangePlanMutation, usePreviewChangeMutation } from './payments.api.ts';
import { priceText, type PlanOffers } from './plans.ts';
import { useScreenFollows } from './use-screen-follows.ts';

const titleId = 'change-title';

const PreviewFacts = ({ preview }: Readonly<{ preview: ChangePreview }>): JSX.Element => {
  const { currency, kind, dueNow, credit, nextAmount, nextAt } = preview;
  const facts = [
    ['Due today', formatMoney(dueNow, currency)],
    ...(kind === 'upgrade' ? [['Credit for unused time', formatMoney(credit, currency)]] : []),
    [
      kind === 'upgrade' ? 'Next invoice' : 'Starts, first invoice',
      `${formatMoney(nextAmount, currency)} on ${formatDay(nextAt)}`,
    ],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const buttonText = ({ kind, dueNow, currency, nextAt }: ChangePreview): string =>
  kind === 'upgrade' ? `Pay ${formatMoney(dueNow, currency)} now` : `Change on ${formatDay(nextAt)}`;

export type ChangePlanDialogProps = Readonly<{
  isOpen: boolean;
  current: Plan;
  offers: PlanOffers;
  /** An upgrade is a purchase: it waits for the end of the dispute. */
  isDisputed: boolean;
  onClose: () => void;
}>;

const ChangeForm = ({ current, offers, isDisputed, onClose }: ChangePlanDialogProps): JSX.Element => {
  const [chosen, setChosen] = useState<Plan | null>(null);
  const [requestPreview, previewing] = usePreviewChangeMutation();
  const [changePlan, changing] = useChangePlanMutation();
  const { isFollowing, follow } = useScreenFollows();
  // An older answer may arrive late: only the one for the chosen plan counts.
  const preview = chosen && previewing.data && isSamePlan(previewing.data, chosen) ? previewing.data : null;
  const choose = (plan: Plan): void => {
    setChosen(plan);
    changing.reset();
    void requestPreview(plan);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!chosen || !preview) return;
    const { data, error } = await changePlan({ ...chosen, previewId: preview.previewId });
    await follow();
    if (showOutcome({ data, error }, changeTexts)) return onClose();
    // The amounts may have changed since they were shown.
    if (error) void requestPreview(chosen);
  };
  const refused = changing.data?.state === 'refused' ? changing.data : null;
  const problem =
    refused?.message ??
    (changing.error && problemText(changing.error, changeTexts.failedText)) ??
    (previewing.error &&
      problemText(previewing.error, 'The amounts could not be computed. Choose the plan again.'));
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id={titleId}>Change your plan</h2>
        <fieldset>
          <legend className="visually-hidden">New plan</legend>
          {paidPlans
            .filter((plan) => !isSamePlan(plan, current))
            .map((plan) => (
              <label className="radio" key={`${plan.tier} ${plan.period}`}>
                <input
                  type="radio"
                  name="new-plan"
                  disabled={isDisputed && changeKind(current, plan) === 'upgrade'}
                  checked={chosen !== null && isSamePlan(plan, chosen)}
                  onChange={() => choose(plan)}
                />
                {plan.tier}, {priceText(plan, offers)}
              </label>
            ))}
        </fieldset>
        {isDisputed && (
          <p className="hint">A payment is disputed: a higher plan can be chosen when that is closed.</p>
        )}
        <div role="status">
          {previewing.isLoading && 'Computing the amounts...'}
          {preview && !previewing.isLoading && <PreviewFacts preview={preview} />}
        </div>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        {refused?.fixUrl && (
          <a className="btn" href={refused.fixUrl}>
            Fix the payment
          </a>
        )}
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Close
        </button>
        <button
          className="btn btn--primary"
          type="submit"
          disabled={!preview || previewing.isLoading || changing.isLoading || isFollowing}
        >
          {changing.isLoading || isFollowing
            ? 'Processing...'
            : preview
              ? buttonText(preview)
              : 'Choose a plan'}
        </button>
      </div>
    </form>
  );
};

/** Shows what a change of plan costs, as the server computes it, and makes exactly that change. */
export const ChangePlanDialog = (props: ChangePlanDialogProps): JSX.Element => (
  <Dialog isOpen={props.isOpen} titleId={titleId} onClose={props.onClose}>
    <ChangeForm {...props} />
  </Dialog>
);
