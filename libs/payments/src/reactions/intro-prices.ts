import { defineReaction, dispatch, type Reaction } from '@tapedeck/eventing';
import {
  type CheckoutExpired,
  type CheckoutPaid,
  type CheckoutRefused,
  checkouts,
  checkoutStream,
} from '../domain/checkout.ts';
import { introPrices, introPriceStream } from '../domain/intro-price.ts';

type Ended = CheckoutPaid | CheckoutRefused | CheckoutExpired;

/** A checkout that is paid uses up the introductory price of its buyer; one that has ended frees it (docs/product-decisions.md#introductory-price). */
export const introPricesReaction: Reaction = defineReaction<Ended>({
  name: 'intro-prices',
  types: { CheckoutPaid: true, CheckoutRefused: true, CheckoutExpired: true },
  react: async ({ type, data: { intentId } }, read) => {
    const checkout = await read(checkouts, checkoutStream(intentId));
    if (checkout.status === 'none' || !checkout.begun.intro) return [];
    const { emailHash, accountId } = checkout.begun;
    const command = type === 'CheckoutExpired' ? 'ReleaseIntroPrice' : 'UseIntroPrice';
    return [emailHash, ...(accountId === null ? [] : [accountId])].map((personHash) =>
      dispatch(introPrices, introPriceStream(personHash), { type: command, personHash, intentId }),
    );
  },
});
