import { textOfEvent } from '@tapedeck/audit/projections';
import { membershipStream } from '@tapedeck/membership/events';
import { membershipProjections } from '@tapedeck/membership/projections';
import type { ReplayParts } from '@tapedeck/replay/api';
import { paymentProjections } from '@tapedeck/payments/projections';
import { replayProjections } from '@tapedeck/replay/projections';
import { stripeProjections } from '@tapedeck/stripe/projections';
import { eventTypes, reactions } from './modules.ts';
import type { ReactionSettings } from './compose.ts';

/** Their rows say which events have arrived and who has replayed what, or repeat what other read models say. */
const technical: ReadonlySet<string> = new Set(['stripe_inbox', 'payment_replays', 'payment_queues']);

/** What a replay of payment events works with: the reactions and read models of the product itself. */
export const replayParts = (settings: ReactionSettings): ReplayParts => ({
  reactions: reactions(settings),
  projections: [
    ...membershipProjections,
    ...paymentProjections,
    ...stripeProjections,
    ...replayProjections,
  ].filter(({ name }) => !technical.has(name)),
  accountStreams: (accountId) => [membershipStream(accountId)],
  types: eventTypes,
  textOf: textOfEvent,
});
