import type { DomainEvent, SealedEvent } from '@tapedeck/eventing/core';
import type { AccountEvent, MailSent } from '@tapedeck/identity/events';
import type { FavouriteEvent } from '@tapedeck/favourites/events';
import type { MembershipEvent } from '@tapedeck/membership/events';
import type {
  CheckoutEvent,
  ClaimEvent,
  IntroPriceEvent,
  SubscriptionEvent,
} from '@tapedeck/payments/events';
import type { ReplayEvent } from '@tapedeck/replay/events';
import type { SavedSearchEvent } from '@tapedeck/saved-searches/events';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import type { AuditEvent } from '../audit.ts';

/** Where an event is shown in the timeline. */
export type EventLane = 'payment' | 'membership' | 'account' | 'admin' | 'mail' | 'system';

/** The events of a member's history. */
export type AuditedEvent =
  | AccountEvent
  | AuditEvent
  | CheckoutEvent
  | ClaimEvent
  | FavouriteEvent
  | IntroPriceEvent
  | MailSent
  | MembershipEvent
  | ReplayEvent
  | SavedSearchEvent
  | StripeEventReceived
  | SubscriptionEvent;

/** The data of a type as a projection gets it. */
export type DataOf<Event extends DomainEvent, Type extends Event['type']> = Extract<
  SealedEvent<Event>,
  { type: Type }
>['data'];

/** For each type of a union: its lane, what it says in plain words, and the object at Stripe that it is about. */
export type EventTexts<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: Readonly<{
    lane: EventLane;
    /** From plain data only: personal fields are sealed. */
    text: (data: DataOf<Event, Type>) => string;
    stripe?: (data: DataOf<Event, Type>) => string | null;
  }>;
};
