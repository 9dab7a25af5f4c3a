import type { BillingChange } from '@tapedeck/payments/contract';
import { problemText } from '../../api/problem-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useOpenBillingPortalMutation } from './payments.api.ts';

const portalFallbackMs = 1_000;

type Outcome = Readonly<{ data?: BillingChange | undefined; error?: unknown }>;
type ChangeTexts = Readonly<{ done: string; failed: string; failedText: string }>;

/** Says how a change of the subscription ended; true unless it failed or was refused. */
export const showOutcome = ({ data, error }: Outcome, texts: ChangeTexts): boolean => {
  if (!data || data.state === 'refused') {
    const text = data?.message ?? problemText(error, texts.failedText);
    showToast({ kind: 'danger', title: texts.failed, text });
    return false;
  }
  const title = data.state === 'done' ? texts.done : 'Processing';
  showToast({ kind: 'ok', title, text: data.message });
  return true;
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

/** Opens the payment provider's own pages, or their general sign-in where that fails. */
export const useBillingPortal = (fallbackUrl: string): PortalState => {
  const [openPortal, { isLoading }] = useOpenBillingPortalMutation();
  const open = async (): Promise<void> => {
    const { data } = await openPortal();
    if (data?.url) return window.location.assign(data.url);
    showToast({
      kind: 'danger',
      title: 'Billing Portal Error',
      text: 'Unable to access billing portal. Opening Stripe login instead.',
    });
    setTimeout(() => window.location.assign(fallbackUrl), portalFallbackMs);
  };
  return { isOpening: isLoading, open };
};
