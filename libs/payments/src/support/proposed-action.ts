import type { ReadStream } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import { subscriptions } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { Wanted } from './planned-actions.ts';

/** What a proposal wants. @throws DomainError PROPOSAL_NOT_FOUND */
export const proposedAction = async (
  read: ReadStream,
  subscriptionId: string,
  proposalId: string,
): Promise<Wanted> => {
  const { proposals } = await read(subscriptions, subscriptionStream(subscriptionId));
  const proposal = proposals[proposalId];
  if (proposal?.outcome === 'open') {
    const { accountId, action } = proposal;
    if (action.kind === 'refund' || action.kind === 'end') return { accountId, subscriptionId, action };
  }
  throw new DomainError(
    'not-found',
    'PROPOSAL_NOT_FOUND',
    'This proposal is not open any more: reload the page.',
  );
};
