export {
  membershipEvents,
  membershipStream,
  type ComplimentaryAccessEnded,
  type ComplimentaryAccessGranted,
  type GraceStarted,
  type MembershipActivated,
  type MembershipEnded,
  type MembershipEvent,
  type MembershipOpened,
  type MembershipSuspended,
} from './domain/membership.ts';
