import { type ChangePreview } from '@tapedeck/payments/contract';
import { changeKind, isSamePlan, paidPlans, type Plan } from '@tapedeck/plans/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { problemOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { InlineError } from '../../ui/inline-error.tsx';
import { changeProblem, changeTexts, showChange } from './billing-actions.ts';
import { taxesText } from './billing-facts.ts';
import { useChangePlanMutation, usePreviewChangeMutation } from './payments.api.ts';
import { priceText, type PlanOffers } from './plans.ts';
import { useScreenFollows } from './use-screen-follows.ts';

const titleId = 'change-title';

type PreviewFactsProps = Readonly<{ preview: ChangePreview; addsTaxes: boolean }>;

const PreviewFacts = ({ preview, addsTaxes }: PreviewFactsProps): JSX.Element => {
  const { currency, kind, dueNow, credit, nextAmount, nextAt } = preview;
  // Stripe has computed the amounts of an upgrade, with the taxes.
  const taxes = kind === 'downgrade' ? taxesText({ addsTaxes }) : '';
  const facts = [
    ['Due today', formatMoney(dueNow, currency)],
    ...(kind === 'upgrade' ? [['Credit for unused time', formatMoney(credit, currency)]] : []),
    [
      kind === 'upgrade' ? 'Next invoice' : 'Starts, first invoice',
      `${formatMoney(nextAmount, currency)}${taxes} on ${formatDay(nextAt)}`,
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

/** Without the amounts, it asks for them again. */
const chooseText = (isFailed: boolean): string => (isFailed ? 'Try again' : 'Choose a plan');

export type ChangePlanDialogProps = Readonly<{
  isOpen: boolean;
  current: Plan;
  offers: PlanOffers;
  /** An upgrade is a purchase: it waits for the end of the dispute. */
  isDisputed: boolean;
  /** To what the subscription costs. */
  addsTaxes: boolean;
  onClose: () => void;
}>;

const ChangeForm = (props: ChangePlanDialogProps): JSX.Element => {
  const { current, offers, isDisputed, addsTaxes, onClose } = props;
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
    if (!chosen) return;
    if (!preview) return void requestPreview(chosen);
    const outcome = await changePlan({ ...chosen, previewId: preview.previewId });
    await follow();
    if (changeProblem(outcome, changeTexts) === null) {
      onClose();
      return showChange(outcome, changeTexts);
    }
    // The amounts may have changed since they were shown.
    if (outcome.error) void requestPreview(chosen);
  };
  const refused = changing.data?.state === 'refused' ? changing.data : null;
  const isChanging = changing.isLoading || isFollowing;
  const isChanged = changing.data !== undefined || changing.error !== undefined;
  const problem =
    (isChanged ? changeProblem(changing, changeTexts) : null) ??
    (previewing.error
      ? problemOf(previewing.error, 'The amounts could not be computed. Choose the plan again.')
      : null);
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
          <p className="hint">
            A payment is disputed: a higher plan can be chosen when the dispute is closed.
          </p>
        )}
        <div role="status">
          {previewing.isLoading && 'Computing the amounts...'}
          {preview && !previewing.isLoading && <PreviewFacts preview={preview} addsTaxes={addsTaxes} />}
        </div>
        <InlineError problem={problem}>
          {refused?.fixUrl && (
            <div className="row">
              <a className="btn" href={refused.fixUrl}>
                Fix the payment
              </a>
            </div>
          )}
        </InlineError>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Close
        </button>
        <ActionButton
          className="btn btn--primary"
          type="submit"
          isBusy={isChanging || previewing.isLoading}
          disabled={!chosen}
        >
          {isChanging ? 'Processing...' : preview ? buttonText(preview) : chooseText(previewing.isError)}
        </ActionButton>
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
