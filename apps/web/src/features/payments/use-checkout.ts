import type { SerializedError } from '@reduxjs/toolkit';
import type { Plan } from '@tapedeck/plans/contract';
import { useState } from 'react';
import type { ApiError } from '../../api/request.ts';
import { problemText } from '../../api/problem-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useStartAnonymousCheckoutMutation, useStartCheckoutMutation } from './payments.api.ts';

type Outcome = Readonly<{
  data?: { readonly checkoutUrl: string } | undefined;
  error?: ApiError | SerializedError | undefined;
}>;

const failedText = 'Failed to start subscription';

/** For an answer without a sentence of the server: its status and body, as the specification of the page asks. */
const fallbackOf = (error: ApiError | SerializedError): string =>
  'status' in error && error.status !== 'network' ? error.message : failedText;

/** Goes to the payment page; false when that failed, which a toast has said. */
const follow = ({ data, error }: Outcome): boolean => {
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

export type CheckoutState = Readonly<{
  /** The plan whose payment page is being opened; it stays so until the browser has left the page. */
  pending: Plan | null;
  /** A visitor is known by this address. */
  start: (plan: Plan, email?: string) => Promise<void>;
}>;

export const useCheckout = (): CheckoutState => {
  const [startCheckout] = useStartCheckoutMutation();
  const [startAnonymousCheckout] = useStartAnonymousCheckoutMutation();
  const [pending, setPending] = useState<Plan | null>(null);
  const start = async (plan: Plan, email?: string): Promise<void> => {
    setPending(plan);
    const outcome: Outcome = await (email === undefined
      ? startCheckout(plan)
      : startAnonymousCheckout({ plan, email }));
    if (!follow(outcome)) setPending(null);
  };
  return { pending, start };
};
