import {
  defineProjection,
  dueDatesTable,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import type {
  MoneyActionEvent,
  MoneyActionExpired,
  MoneyActionProposed,
  MoneyActionRejected,
  MoneyActionTaken,
} from '../domain/subscription-events.ts';
import { sumOf } from '../domain/money-actions/refundable.ts';

/** An action of support that waits for a second person. Amounts are in minor units. */
export type MoneyProposalRow = Readonly<{
  proposal_id: string;
  subscription_id: string;
  account_id: string;
  kind: 'refund' | 'end';
  refunded: string;
  stake: string;
  currency: string;
  proposed_by: string;
  reason: Sealed<string | null> | null;
  proposed_at: Date;
  expires_at: Date;
}>;

const table = 'money_proposals';
export const proposalsDueTable = 'money_proposals_due';

const decided = (proposalId: string, stream: string): readonly RowChange[] => [
  { op: 'remove', table, key: { proposal_id: proposalId } },
  { op: 'remove', table: proposalsDueTable, key: { stream, kind: `proposal ${proposalId}` } },
];

const changesOf = ({
  type,
  data,
  stream,
}: RecordedEvent<SealedEvent<MoneyActionEvent>>): readonly RowChange[] => {
  switch (type) {
    case 'MoneyActionProposed': {
      const { proposalId, expiresAt } = data;
      const row = {
        subscription_id: data.subscriptionId,
        account_id: data.accountId,
        kind: data.action.kind,
        refunded: sumOf(data.refunds),
        stake: data.stake,
        currency: data.currency,
        proposed_by: data.by,
        reason: data.reason,
        proposed_at: data.proposedAt,
        expires_at: expiresAt,
      };
      const due = { due_at: expiresAt, details: { proposalId } };
      const kind = `proposal ${proposalId}`;
      return [
        { op: 'put', table, key: { proposal_id: proposalId }, row },
        { op: 'put', table: proposalsDueTable, key: { stream, kind }, row: due },
      ];
    }
    case 'MoneyActionTaken':
      return decided(data.actionId, stream);
    case 'MoneyActionRejected':
    case 'MoneyActionExpired':
      return decided(data.proposalId, stream);
    default:
      return type satisfies never;
  }
};

/** What waits for the approval of a second person, and until when. */
export const moneyProposals = defineProjection<
  MoneyActionProposed | MoneyActionTaken | MoneyActionRejected | MoneyActionExpired
>({
  name: 'money_proposals',
  version: 1,
  database: 'tapedeck',
  // A replay changes nothing of what people have decided.
  replay: {},
  types: {
    MoneyActionProposed: true,
    MoneyActionTaken: true,
    MoneyActionRejected: true,
    MoneyActionExpired: true,
  },
  tables: [
    {
      name: table,
      key: ['proposal_id'],
      columns: {
        proposal_id: 'uuid not null',
        subscription_id: 'text not null',
        account_id: 'uuid not null',
        kind: 'text not null',
        refunded: 'bigint not null',
        stake: 'bigint not null',
        currency: 'text not null',
        proposed_by: 'uuid not null',
        reason: 'text',
        proposed_at: 'timestamptz not null',
        expires_at: 'timestamptz not null',
      },
      indexes: ['(account_id)', '(proposed_at)'],
    },
    dueDatesTable(proposalsDueTable),
  ],
  fold: (events) => events.flatMap(changesOf),
});
