/** For modules that bring events of Stripe in another way than by webhook. */
export { receivingCommand } from './append-stripe-event.ts';
export { eventOfBody } from './event-body.ts';
