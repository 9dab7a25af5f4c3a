import type { ApiError } from '../../../api/request.ts';
import { problemText } from '../../../api/problem-text.ts';
import { showToast } from '../../../ui/toasts.tsx';

export type CheckoutOutcome = Readonly<{
  data?: Readonly<{ checkoutUrl?: string }> | undefined;
  error?: ApiError | object | undefined;
}>;

const failedText = 'Failed to start subscription';

/** For an answer without a sentence of the server: its status and body, as the specification of the page asks. */
const fallbackOf = (error: object): string =>
  'status' in error && error.status !== 'network' && 'message' in error ? String(error.message) : failedText;

/** Goes to the payment page; false when that failed, which a toast has said. */
export const followCheckout = ({ data, error }: CheckoutOutcome): boolean => {
  if (data?.checkoutUrl) {
    window.location.assign(data.checkoutUrl);
    return true;
  }
  const toast = error
    ? { title: 'Subscription Error', text: problemText(error, fallbackOf(error)) }
    : { title: 'Error', text: 'Failed to create checkout session' };
  showToast({ kind: 'danger', ...toast });
  return false;
};
