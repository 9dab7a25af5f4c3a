import { commandTarget } from '@tapedeck/eventing';
import { checkoutDecider } from './domain/checkout.ts';
import { claimDecider } from './domain/claim.ts';
import { subscriptionDecider } from './domain/decide-subscription.ts';
import { introPriceDecider } from './domain/intro-price.ts';
import { checkoutEvents, claimEvents, introPriceEvents, subscriptionEvents } from './events.ts';

export const checkouts = commandTarget(checkoutDecider, checkoutEvents);
export const subscriptions = commandTarget(subscriptionDecider, subscriptionEvents);
export const introPrices = commandTarget(introPriceDecider, introPriceEvents);
export const claims = commandTarget(claimDecider, claimEvents);
