export {
  accessAt,
  featuresOf,
  type Access,
  type AccessStatus,
  type EntitlementMode,
} from './domain/access.ts';
export { followEntitlement } from './domain/decide.ts';
export {
  evolve as evolveMembership,
  noMembership,
  type Membership,
  type MemberSubscription,
} from './domain/membership.ts';
