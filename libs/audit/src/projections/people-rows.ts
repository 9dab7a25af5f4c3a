import type { ProjectionTable, RowChange, Sealed } from '@tapedeck/eventing';
import type { Recorded } from './timeline-rows.ts';

export type PersonRow = Readonly<{
  account_id: string;
  email: Sealed<string> | null;
  first_name: Sealed<string | null> | null;
  last_name: Sealed<string | null> | null;
  discord_email: Sealed<string> | null;
  trading_view_username: Sealed<string> | null;
  registered_at: Date;
  is_deleted: boolean;
  changed_position: string;
}>;

export const peopleTable: ProjectionTable = {
  name: 'audit_people',
  key: ['account_id'],
  columns: {
    account_id: 'uuid not null',
    email: 'text',
    first_name: 'text',
    last_name: 'text',
    discord_email: 'text',
    trading_view_username: 'text',
    registered_at: 'timestamptz not null',
    is_deleted: 'boolean not null default false',
    changed_position: 'bigint not null',
  },
  indexes: ['(changed_position)'],
};

export const rolesTable: ProjectionTable = {
  name: 'audit_roles',
  key: ['account_id', 'role'],
  columns: { account_id: 'uuid not null', role: 'text not null' },
};

/** Buyers without an account, by checkout. */
export const buyersTable: ProjectionTable = {
  name: 'audit_buyers',
  key: ['intent_id'],
  columns: { intent_id: 'text not null', email: 'text not null' },
};

export type PurchaseRow = Readonly<{
  subscription_id: string;
  email: Sealed<string> | null;
  paid_at: Date;
  refund_at: Date;
  is_claimable: boolean;
  changed_position: string;
}>;

/** Purchases that belonged to no account when they were paid. */
export const purchasesTable: ProjectionTable = {
  name: 'audit_purchases',
  key: ['subscription_id'],
  columns: {
    subscription_id: 'text not null',
    intent_id: 'text not null',
    paid_at: 'timestamptz not null',
    refund_at: 'timestamptz not null',
    is_claimable: 'boolean not null',
    changed_position: 'bigint not null',
  },
  indexes: ['(changed_position)'],
};

export type NoteRow = Readonly<{
  note_id: string;
  text: Sealed<string>;
  is_pinned: boolean;
  event_id: string | null;
  written_by: string;
  written_at: Date;
  redacted_by: string | null;
  redacted_at: Date | null;
}>;

export const notesTable: ProjectionTable = {
  name: 'audit_notes',
  key: ['note_id'],
  columns: {
    note_id: 'uuid not null',
    account_id: 'uuid not null',
    text: 'text not null',
    is_pinned: 'boolean not null',
    event_id: 'uuid',
    written_by: 'text not null',
    written_at: 'timestamptz not null',
    redacted_by: 'text',
    redacted_at: 'timestamptz',
  },
  indexes: ['(account_id)'],
};

const forgottenPerson = {
  email: null,
  first_name: null,
  last_name: null,
  discord_email: null,
  trading_view_username: null,
  is_deleted: true,
} as const;

const personChanges = (event: Recorded): readonly RowChange[] => {
  const { position, metadata } = event;
  const changed = { changed_position: String(position) };
  const person = (accountId: string) => ({ table: peopleTable.name, key: { account_id: accountId } });
  switch (event.type) {
    case 'AccountRegistered': {
      const { accountId, email, firstName, lastName } = event.data;
      const names = { first_name: firstName, last_name: lastName };
      const row = { email, ...names, registered_at: metadata.occurredAt, is_deleted: false, ...changed };
      return [{ op: 'put', ...person(accountId), row }];
    }
    case 'EmailChanged':
      return [{ op: 'patch', ...person(event.data.accountId), row: { email: event.data.email, ...changed } }];
    case 'ProfileCompleted': {
      const { accountId, discordEmail, tradingViewUsername } = event.data;
      const row = { discord_email: discordEmail, trading_view_username: tradingViewUsername, ...changed };
      return [{ op: 'patch', ...person(accountId), row }];
    }
    case 'AccountForgotten':
      return [{ op: 'patch', ...person(event.data.accountId), row: { ...forgottenPerson, ...changed } }];
    case 'RoleGranted':
    case 'RoleRevoked': {
      const { accountId, role } = event.data;
      const row = { table: rolesTable.name, key: { account_id: accountId, role } };
      return [event.type === 'RoleGranted' ? { op: 'put', ...row, row: {} } : { op: 'remove', ...row }];
    }
    default:
      return [];
  }
};

const purchaseChanges = (event: Recorded): readonly RowChange[] => {
  const changed = { changed_position: String(event.position) };
  switch (event.type) {
    case 'CheckoutStarted': {
      const { accountId, intentId, email } = event.data;
      if (accountId !== null) return [];
      return [{ op: 'put', table: buyersTable.name, key: { intent_id: intentId }, row: { email } }];
    }
    case 'PurchaseUnclaimed': {
      const { subscriptionId, intentId, paidAt, refundAt } = event.data;
      const times = { paid_at: paidAt, refund_at: refundAt };
      const row = { intent_id: intentId, ...times, is_claimable: true, ...changed };
      return [{ op: 'put', table: purchasesTable.name, key: { subscription_id: subscriptionId }, row }];
    }
    case 'PaymentClaimed':
    case 'PaymentTransferred':
    case 'ClaimPeriodEnded':
    case 'BuyerForgotten': {
      const key = { subscription_id: event.data.subscriptionId };
      return [{ op: 'patch', table: purchasesTable.name, key, row: { is_claimable: false, ...changed } }];
    }
    default:
      return [];
  }
};

const noteChanges = (event: Recorded): readonly RowChange[] => {
  const { actorId, occurredAt } = event.metadata;
  switch (event.type) {
    case 'NoteAdded': {
      const { noteId, accountId, text, isPinned, eventId } = event.data;
      const written = { written_by: actorId, written_at: occurredAt };
      const row = { account_id: accountId, text, is_pinned: isPinned, event_id: eventId, ...written };
      return [{ op: 'put', table: notesTable.name, key: { note_id: noteId }, row }];
    }
    case 'NoteRedacted': {
      const row = { redacted_by: actorId, redacted_at: occurredAt };
      return [{ op: 'patch', table: notesTable.name, key: { note_id: event.data.noteId }, row }];
    }
    default:
      return [];
  }
};

/** Who the members are, and what was noted about them. */
export const peopleChanges = (event: Recorded): readonly RowChange[] => [
  ...personChanges(event),
  ...purchaseChanges(event),
  ...noteChanges(event),
];
