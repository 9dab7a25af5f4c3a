import type { Plan } from '@tapedeck/plans/contract';
import { useState } from 'react';
import { shownAgain } from '../../ui/browser/shown-again.ts';
import { useStartCheckoutMutation } from './payments.api.ts';
import { followCheckout } from './pricing/checkout-outcome.ts';

export type CheckoutState = Readonly<{
  /** The plan whose payment page is being opened, until the browser has left this page. */
  pending: Plan | null;
  start: (plan: Plan) => Promise<void>;
}>;

/** For members. */
export const useCheckout = (): CheckoutState => {
  const [startCheckout] = useStartCheckoutMutation();
  const [pending, setPending] = useState<Plan | null>(null);
  const start = async (plan: Plan): Promise<void> => {
    setPending(plan);
    if (followCheckout(await startCheckout(plan)) === null) await shownAgain();
    setPending(null);
  };
  return { pending, start };
};
