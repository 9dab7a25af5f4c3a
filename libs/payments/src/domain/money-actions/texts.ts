import type { RecordedRequest, Subscription } from '../subscription.ts';

export type ActionState = Readonly<{
  state: 'done' | 'processing' | 'refused' | 'proposed';
  message: string;
}>;

const requestsOf = ({ requests }: Subscription, actionId: string): readonly RecordedRequest[] =>
  Object.values(requests).filter(
    (request) => request.actionId === actionId && request.outcome !== 'repeated',
  );

const refusalText = ({ write, refusal }: RecordedRequest): string => {
  const code = refusal?.code ?? '';
  if (write.kind === 'refund' || write.kind === 'end-now')
    return `Stripe has refused a part of it (${code}). It stands in the queue "Refused by Stripe": what to do is said there.`;
  if (write.kind === 'pay' && code === 'AMOUNT_CHANGED')
    return 'The amount of the invoice has changed since it was shown, and nothing was charged: look at it again.';
  if (write.kind === 'pay')
    return `The card was not charged (${code}): ask the member to pay or confirm in My Account.`;
  return `Stripe has refused it (${code}), and nothing was changed: reload the page, then try again.`;
};

export const processingAction: ActionState = {
  state: 'processing',
  message: 'This is taking longer than usual. You can leave the page: it will be done.',
};

/** What has become of an action; undefined while Stripe has not answered, and for one that was never confirmed. */
export const actionStateOf = (state: Subscription, actionId: string): ActionState | undefined => {
  if (!state.actions[actionId]) {
    const proposal = state.proposals[actionId];
    return proposal && { state: 'proposed', message: 'Another admin has to approve it within 7 days.' };
  }
  const requests = requestsOf(state, actionId);
  const refused = requests.find(({ outcome }) => outcome === 'refused');
  if (requests.some(({ outcome }) => outcome === 'requested')) return undefined;
  if (refused) return { state: 'refused', message: refusalText(refused) };
  return { state: 'done', message: 'It is done, and recorded with your name and reason.' };
};
