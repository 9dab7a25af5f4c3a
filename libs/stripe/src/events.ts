export {
  customerSubject,
  stripeEvents,
  stripeEventStream,
  type StripeEventReceived,
} from './domain/stripe-event.ts';
