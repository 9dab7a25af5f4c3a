import { problemOf } from '../../../api/problem-text.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../../ui/toasts.tsx';

export type CheckoutOutcome = Readonly<{
  data?: Readonly<{ checkoutUrl?: string }> | undefined;
  error?: object | undefined;
}>;

const cause = 'checkout';

/** Of an answer that does not fit its contract: it has no address either. */
const isWithoutAddress = (error: object): boolean => 'status' in error && error.status === 'contract';

/** Goes to the payment page; otherwise the reason, which a toast has said too. */
export const followCheckout = ({ data, error }: CheckoutOutcome): Problem | null => {
  if (data?.checkoutUrl) {
    window.location.assign(data.checkoutUrl);
    return null;
  }
  const isRefused = error !== undefined && !isWithoutAddress(error);
  const problem = isRefused
    ? problemOf(error, 'Failed to start subscription')
    : { text: 'Failed to create checkout session', details: null };
  showToast({ kind: 'danger', title: isRefused ? 'Subscription Error' : 'Error', ...problem, cause });
  return problem;
};

export const hideCheckoutFailed = (): void => hideToast(cause);
