export type {
  AccountEvent,
  AccountForgotten,
  AccountRegistered,
  EmailChanged,
  RoleGranted,
  RoleRevoked,
} from './domain/account.ts';
export { identityEvents, accountStream } from './domain/account.ts';
