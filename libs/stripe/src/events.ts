import { defineEvents } from '@tapedeck/eventing/core';
import type { StripeEventReceived } from './domain/stripe-event.ts';

export type { StripeEventReceived };

export const stripeEvents = defineEvents<StripeEventReceived>({
  StripeEventReceived: { version: 1, personal: ['body'], subject: 'personalSubject' },
});

export const stripeEventStream = (eventId: string): string => `stripeEvent-${eventId}`;

/** The key of personal data of a customer: forgetting the buyer deletes it. */
export const customerSubject = (customerId: string): string => `stripeCustomer:${customerId}`;
