import { dispatch, type DueDates } from '@tapedeck/eventing';
import { subscriptions } from '../domain/decide-subscription.ts';
import { proposalsDueTable } from '../projections/money-proposals.ts';

/** A proposal that nobody has decided about in time expires. */
export const proposalDueDates: DueDates = {
  name: 'money-proposal-due-dates',
  projection: 'money_proposals',
  table: proposalsDueTable,
  dispatch: ({ stream, details }, now) => {
    const proposalId = String(details['proposalId']);
    return [dispatch(subscriptions, stream, { type: 'ExpireMoneyAction', proposalId, now })];
  },
};
