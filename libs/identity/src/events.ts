export type {
  AccountEvent,
  AccountForgotten,
  AccountRegistered,
  EmailChanged,
  RoleGranted,
  RoleRevoked,
} from './domain/account.ts';
export { identityEvents, accountStream, presentEmailIn } from './domain/account.ts';
export type { MailSent } from './domain/sent-mails.ts';
export { sentMailEvents } from './domain/sent-mails.ts';
