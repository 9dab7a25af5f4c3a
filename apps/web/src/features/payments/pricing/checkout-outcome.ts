import { problemOf } from '../../../api/problem-text.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../../ui/toasts.tsx';

export type CheckoutOutcome = Readonly<{
  data?: Readonly<{ checkoutUrl?: string }> | undefined;
  error?: object | undefined;
}>;

const cause = 'checkout';

/** Goes to the payment page; otherwise the reason, which a toast has said too. */
export const followCheckout = ({ data, error }: CheckoutOutcome): Problem | null => {
  if (data?.checkoutUrl) {
    window.location.assign(data.checkoutUrl);
    return null;
  }
  const problem = error
    ? problemOf(error, 'Failed to start subscription')
    : { text: 'Failed to create checkout session', details: null };
  showToast({ kind: 'danger', title: error ? 'Subscription Error' : 'Error', ...problem, cause });
  return problem;
};

export const hideCheckoutFailed = (): void => hideToast(cause);
