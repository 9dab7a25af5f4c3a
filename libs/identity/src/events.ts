import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { AccountEvent } from './domain/account.ts';

export type {
  AccountEvent,
  AccountForgotten,
  AccountRegistered,
  EmailChanged,
  RoleGranted,
  RoleRevoked,
} from './domain/account.ts';

export const identityEvents = defineEvents<AccountEvent>({
  AccountRegistered: {
    version: 1,
    personal: ['subject', 'email', 'firstName', 'lastName', 'profileImageUrl'],
    subject: 'accountId',
  },
  EmailChanged: { version: 1, personal: ['email'], subject: 'accountId' },
  ProfileCompleted: { version: 1, personal: ['discordEmail', 'tradingViewUsername'], subject: 'accountId' },
  RoleGranted: { version: 1, personal: ['reason'], subject: 'accountId' },
  RoleRevoked: { version: 1, personal: ['reason'], subject: 'accountId' },
  AccountForgotten: { version: 1 },
});

export const accountStream = (account: AccountId): string => `account-${account}`;
