import type { ProjectionTable } from '@tapedeck/eventing';

/** The accounts to which a purchase has belonged. Purchase, member and the like are pseudonyms: `keys.ts`. */
export const ownersTable: ProjectionTable = {
  name: 'figure_owners',
  key: ['purchase', 'version'],
  columns: {
    purchase: 'uuid not null',
    /** Of the event in its stream. */
    version: 'integer not null',
    member: 'uuid not null',
    /** Null where the account itself has paid at the checkout. */
    claimed_at: 'timestamptz',
  },
};

/** The newest entitlement by each purchase. */
export const purchasesTable: ProjectionTable = {
  name: 'figure_purchases',
  key: ['purchase'],
  columns: {
    purchase: 'uuid not null',
    phase: 'text not null',
    tier: 'text',
    period: 'text',
    ends_at: 'timestamptz',
    ended_at: 'timestamptz',
    recorded_at: 'timestamptz not null',
  },
};

/** Amounts are in minor units. */
export const paymentsTable: ProjectionTable = {
  name: 'figure_payments',
  key: ['invoice'],
  columns: {
    invoice: 'uuid not null',
    purchase: 'uuid not null',
    charge: 'uuid',
    amount: 'bigint not null',
    currency: 'text not null',
    tier: 'text',
    period: 'text',
    period_end: 'timestamptz not null',
    paid_at: 'timestamptz not null',
  },
  indexes: ['(purchase)'],
};

export const refundsTable: ProjectionTable = {
  name: 'figure_refunds',
  key: ['refund'],
  columns: {
    refund: 'uuid not null',
    purchase: 'uuid not null',
    invoice: 'uuid',
    charge: 'uuid',
    amount: 'bigint not null',
    status: 'text not null',
    refunded_at: 'timestamptz not null',
  },
};

/** Invoices that could not be charged at first. */
export const failuresTable: ProjectionTable = {
  name: 'figure_failures',
  key: ['invoice'],
  columns: { invoice: 'uuid not null', failed_at: 'timestamptz not null' },
  indexes: ['(failed_at)'],
};

/** The newest webhook: milliseconds since 1970. */
export const webhooksTable: ProjectionTable = {
  name: 'figure_webhooks',
  key: ['source'],
  columns: { source: 'text not null', received_ms: 'bigint not null' },
  growing: ['received_ms'],
};
