import type { BillingChange } from '@tapedeck/payments/contract';
import { problemOf } from '../../api/problem-text.ts';
import type { Problem } from '../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../ui/toasts.tsx';
import { useOpenBillingPortalMutation } from './payments.api.ts';

const portalFallbackMs = 1_000;

type Outcome = Readonly<{ data?: BillingChange | undefined; error?: unknown }>;
type ChangeTexts = Readonly<{ done: string; failed: string; failedText: string }>;

/** Why a change of the subscription was not made; null unless it failed or was refused. */
export const changeProblem = ({ data, error }: Outcome, { failedText }: ChangeTexts): Problem | null => {
  if (!data) return problemOf(error, failedText);
  return data.state === 'refused' ? { text: data.message, details: null } : null;
};

/** Why a change of the subscription was not made, as a toast. */
export const showChangeFailed = (problem: Problem, { failed }: ChangeTexts): void =>
  showToast({ kind: 'danger', title: failed, ...problem, cause: failed });

/** Its cause is over: the dialog was closed, or the change is made again. */
export const hideChangeFailed = ({ failed }: ChangeTexts): void => hideToast(failed);

/** Says how a change of the subscription has ended that did not fail. */
export const showChange = ({ data }: Outcome, { done }: ChangeTexts): void => {
  if (data) showToast({ kind: 'ok', title: data.state === 'done' ? done : 'Processing', text: data.message });
};

/** Says how a change of the subscription has ended. For what is not in a dialog. */
export const showOutcome = (outcome: Outcome, texts: ChangeTexts): void => {
  const problem = changeProblem(outcome, texts);
  if (problem) showChangeFailed(problem, texts);
  else showChange(outcome, texts);
};

export const cancelTexts: ChangeTexts = {
  done: 'Subscription Cancelled',
  failed: 'Cancellation Failed',
  failedText: 'Failed to cancel subscription',
};
export const resumeTexts: ChangeTexts = {
  done: 'Subscription Resumed',
  failed: 'Error',
  failedText: 'Failed to resume the subscription. Please try again.',
};
export const changeTexts: ChangeTexts = {
  done: 'Plan Changed',
  failed: 'Plan Not Changed',
  failedText: 'Failed to change the plan. Please try again.',
};

export type PortalState = Readonly<{ isOpening: boolean; open: () => Promise<void> }>;

const portalFailed = 'Billing Portal Error';

/** The pages belong to the person who paid: the provider's general sign-in would not open them either. */
const isOfAnother = (error: object | undefined): boolean =>
  error !== undefined && 'code' in error && error.code === 'PAID_BY_ANOTHER';

/** Opens the payment provider's own pages, or their general sign-in where that fails. */
export const useBillingPortal = (fallbackUrl: string): PortalState => {
  const [openPortal, { isLoading }] = useOpenBillingPortalMutation();
  const open = async (): Promise<void> => {
    const { data, error } = await openPortal();
    if (data?.url) return window.location.assign(data.url);
    const text = 'Unable to access billing portal. Opening Stripe login instead.';
    if (isOfAnother(error)) {
      showToast({ kind: 'danger', title: portalFailed, ...problemOf(error, text) });
      return;
    }
    showToast({ kind: 'danger', title: portalFailed, text });
    setTimeout(() => window.location.assign(fallbackUrl), portalFallbackMs);
  };
  return { isOpening: isLoading, open };
};
