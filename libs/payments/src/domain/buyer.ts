import { commandTarget, defineEvents, type Decider, type DomainEvent } from '@tapedeck/eventing/core';
import type { IntentId } from './checkout.ts';

/** An account, or the browser of a visitor by the hash of its claim secret. */
export type BuyerId = string;

/** The buyer has begun a checkout: those before it are ended first. */
export type BuyerCheckoutOpened = DomainEvent<
  'BuyerCheckoutOpened',
  { buyerId: BuyerId; intentId: IntentId }
>;
/** It cannot be paid any more, or was paid. */
export type BuyerCheckoutClosed = DomainEvent<
  'BuyerCheckoutClosed',
  { buyerId: BuyerId; intentId: IntentId }
>;

export type BuyerEvent = BuyerCheckoutOpened | BuyerCheckoutClosed;

export const buyerEvents = defineEvents<BuyerEvent>({
  BuyerCheckoutOpened: { version: 1 },
  BuyerCheckoutClosed: { version: 1 },
});

export const buyerStream = (buyerId: BuyerId): string => `buyer-${buyerId}`;

/** What one buyer may still pay: the stream decides between two checkouts that begin at once. */
export type BuyerCheckouts = Readonly<{ open: readonly IntentId[] }>;

type Subject = Readonly<{ buyerId: BuyerId; intentId: IntentId }>;
export type BuyerCommand =
  | (Readonly<{ type: 'OpenBuyerCheckout' }> & Subject)
  | (Readonly<{ type: 'CloseBuyerCheckout' }> & Subject);

const decide = (
  { type, buyerId, intentId }: BuyerCommand,
  { open }: BuyerCheckouts,
): readonly BuyerEvent[] => {
  const isOpen = open.includes(intentId);
  switch (type) {
    case 'OpenBuyerCheckout':
      return isOpen ? [] : [{ type: 'BuyerCheckoutOpened', data: { buyerId, intentId } }];
    case 'CloseBuyerCheckout':
      return isOpen ? [{ type: 'BuyerCheckoutClosed', data: { buyerId, intentId } }] : [];
    default:
      return type satisfies never;
  }
};

const evolve = ({ open }: BuyerCheckouts, { type, data }: BuyerEvent): BuyerCheckouts => {
  switch (type) {
    case 'BuyerCheckoutOpened':
      return { open: [...open, data.intentId] };
    case 'BuyerCheckoutClosed':
      return { open: open.filter((intentId) => intentId !== data.intentId) };
    default:
      return type satisfies never;
  }
};

export const buyerDecider: Decider<BuyerCheckouts, BuyerCommand, BuyerEvent> = {
  initialState: { open: [] },
  decide,
  evolve,
};

export const buyers = commandTarget(buyerDecider, buyerEvents);
