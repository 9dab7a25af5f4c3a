export { accessAt, type Access, type AccessStatus } from './domain/access.ts';
export { featuresOf, type EntitlementMode } from './domain/entitlements.ts';
export { followEntitlement } from './domain/follow-entitlement.ts';
export {
  evolve as evolveMembership,
  noMembership,
  type Membership,
  type MemberSubscription,
} from './domain/membership.ts';
