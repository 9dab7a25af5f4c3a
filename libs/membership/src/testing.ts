/** For tests of other modules: the rules of memberships, and a member and a subscription at Stripe in memory. */
export { accessAt } from './domain/access.ts';
export { membershipDecider } from './domain/decide.ts';
export { noMembership } from './domain/membership.ts';
export { membershipDue } from './projections/membership-due.ts';
export * from './testing/simulated-member.ts';
export { graceDays, grantAccess, revokeAccess } from './testing/entitlements.ts';
export * as simulatedStripe from './testing/simulated-stripe.ts';
