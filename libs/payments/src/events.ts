import { buyerEvents } from './domain/buyer.ts';
import { checkoutEvents } from './domain/checkout.ts';
import { claimEvents } from './domain/claim.ts';
import { introPriceEvents } from './domain/intro-price.ts';
import { priceChangeEvents } from './domain/price-change.ts';
import { subscriptionEvents } from './domain/subscription-events.ts';

export { billingAddressIn } from './domain/billing-address.ts';
export { buyerEvents, buyerStream, type BuyerEvent } from './domain/buyer.ts';
export {
  checkoutEvents,
  checkoutStream,
  intentSubject,
  type CheckoutEvent,
  type CheckoutExpired,
  type CheckoutPaid,
  type CheckoutRefused,
  type CheckoutSessionOpened,
  type CheckoutStarted,
  type IntentId,
} from './domain/checkout.ts';
export { claimEvents, claimStream, type ClaimEvent } from './domain/claim.ts';
export { unpaidReason } from './domain/failed-payments.ts';
export { paymentPurpose } from './domain/payment-purpose.ts';
export { introPriceEvents, introPriceStream, type IntroPriceEvent } from './domain/intro-price.ts';
export { priceChangeEvents, priceStream, type PriceChangeEvent } from './domain/price-change.ts';
export * from './domain/subscription-events.ts';

export { ACCESS_AFTER, type AccessAfter, type MemberAccess } from './support/access-after.ts';

export const paymentEvents = {
  ...checkoutEvents,
  ...subscriptionEvents,
  ...claimEvents,
  ...introPriceEvents,
  ...buyerEvents,
  ...priceChangeEvents,
};
