import type { DomainEvent } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';

/**
 * The owner is notified of what the subscription costs from a renewal on. Once for each announcement; a later one replaces it.
 * Amounts are in minor units.
 */
export type PriceNoticeGiven = DomainEvent<
  'PriceNoticeGiven',
  {
    subscriptionId: string;
    /** The owner, who is notified. */
    accountId: AccountId;
    announcementId: string;
    announcedAt: string;
    plan: Plan;
    fromAmount: number;
    toAmount: number;
    currency: string;
    /** The first renewal at the new price. */
    renewsAt: string;
    givenAt: string;
  }
>;

/** The announcement was withdrawn before it took effect: the price stays. */
export type PriceNoticeWithdrawn = DomainEvent<
  'PriceNoticeWithdrawn',
  { subscriptionId: string; accountId: AccountId; announcementId: string; withdrawnAt: string }
>;

/** The renewal that was announced is near: what is requested of Stripe follows, if it still applies. */
export type AnnouncedPriceDue = DomainEvent<
  'AnnouncedPriceDue',
  { subscriptionId: string; announcementId: string }
>;

export type PriceNoticeEvent = PriceNoticeGiven | PriceNoticeWithdrawn | AnnouncedPriceDue;

/** For `defineEvents` of the stream of a subscription. */
export const priceNoticeEvents = {
  PriceNoticeGiven: { version: 1 },
  PriceNoticeWithdrawn: { version: 1 },
  AnnouncedPriceDue: { version: 1 },
} as const;

/** The newest notice to the owner of a subscription. */
export type PriceNotice = Omit<PriceNoticeGiven['data'], 'subscriptionId'> &
  Readonly<{ isWithdrawn: boolean; isDue: boolean }>;
