import type { Projection } from '@tapedeck/eventing';
import { stripeInbox } from './projections/stripe-inbox.ts';

export { stripeInbox } from './projections/stripe-inbox.ts';

export const stripeProjections: readonly Projection[] = [stripeInbox];
