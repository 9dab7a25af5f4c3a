import type { Plan } from '@tapedeck/payments/contract';
import { useState } from 'react';
import type { ApiError } from '../../api/base-api.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useStartAnonymousCheckoutMutation, useStartCheckoutMutation } from './payments.api.ts';

type Outcome = Readonly<{ data?: { readonly checkoutUrl: string } | undefined; error?: unknown }>;

/** The server's sentence, else the error as the specification wants it. */
const detailOf = (error: unknown, otherwise: string): string => {
  const { detail, message } = Object(error) as Partial<ApiError>;
  return detail ?? message ?? otherwise;
};

/** Goes to the payment page; false when that failed, which a toast has said. */
const follow = ({ data, error }: Outcome): boolean => {
  if (data?.checkoutUrl) {
    window.location.assign(data.checkoutUrl);
    return true;
  }
  const toast = error
    ? { title: 'Subscription Error', text: detailOf(error, 'Failed to start subscription') }
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
