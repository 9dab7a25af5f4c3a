import type { Plan } from '@tapedeck/plans/contract';
import { useState } from 'react';
import { useStartCheckoutMutation } from './payments.api.ts';
import { followCheckout } from './pricing/checkout-outcome.ts';

export type CheckoutState = Readonly<{
  /** The plan whose payment page is being opened; it stays so until the browser has left the page. */
  pending: Plan | null;
  start: (plan: Plan) => Promise<void>;
}>;

/** For members. */
export const useCheckout = (): CheckoutState => {
  const [startCheckout] = useStartCheckoutMutation();
  const [pending, setPending] = useState<Plan | null>(null);
  const start = async (plan: Plan): Promise<void> => {
    setPending(plan);
    if (followCheckout(await startCheckout(plan)) !== null) setPending(null);
  };
  return { pending, start };
};
