import type { DomainEvent, Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';

/** The ledger, the entitlement and Stripe do not agree, and nothing else waits for it. Amounts are in minor units. */
export type MoneyFindingOpened = DomainEvent<
  'MoneyFindingOpened',
  {
    subscriptionId: string;
    /** The owner; null without one. */
    accountId: AccountId | null;
    kind: 'money-without-access' | 'access-without-money';
    amount: number;
    currency: string;
    /** The end of the time that is paid, or that is not; null where nothing is paid. Missing in older events. */
    until?: string | null;
    foundAt: string;
  }
>;

/** What the books do not agree about. */
export type MoneyFinding = Readonly<
  Pick<MoneyFindingOpened['data'], 'kind' | 'amount' | 'currency' | 'until'>
>;

/** They agree again, or about something else not. */
export type MoneyFindingClosed = DomainEvent<
  'MoneyFindingClosed',
  { subscriptionId: string; kind: MoneyFindingOpened['data']['kind'] }
>;

/** A person has decided that it is right as it is, for the time that it is about. */
export type MoneyFindingAccepted = DomainEvent<
  'MoneyFindingAccepted',
  Pick<MoneyFindingOpened['data'], 'subscriptionId' | 'kind' | 'amount' | 'currency' | 'until'> & {
    reason: Personal<string | null>;
    personalSubject: string;
  }
>;

export type MoneyFindingEvent = MoneyFindingOpened | MoneyFindingClosed | MoneyFindingAccepted;

/** For `defineEvents` of the stream of a subscription. */
export const moneyFindingEvents = {
  MoneyFindingOpened: { version: 1 },
  MoneyFindingClosed: { version: 1 },
  MoneyFindingAccepted: { version: 1, personal: ['reason'], subject: 'personalSubject' },
} as const;
