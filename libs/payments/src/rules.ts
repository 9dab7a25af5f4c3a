export { entitlementOf, termsOf } from './domain/entitlement.ts';
export {
  evolve as evolveSubscription,
  finalStatuses,
  noSubscription,
  type Subscription,
} from './domain/subscription.ts';
