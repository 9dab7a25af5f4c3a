export { entitlementOf, termsOf } from './domain/entitlement.ts';
export {
  evolve as evolveSubscription,
  finalStatuses,
  isPaidByAnother,
  noSubscription,
  type Subscription,
} from './domain/subscription.ts';
