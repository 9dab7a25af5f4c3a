import { defineProjection, type RecordedEvent, type RowChange, type SealedEvent } from '@tapedeck/eventing';
import { priceIsDueAt } from '../domain/price-notice.ts';
import type { PriceNoticeGiven, PriceNoticeWithdrawn } from '../domain/subscription-events.ts';

/** The newest notice of a price to the owner of a subscription. */
export type PriceNoticeRow = Readonly<{
  subscription_id: string;
  account_id: string;
  announcement_id: string;
  /** From when on the new price is requested of Stripe. */
  due_at: Date;
}>;

const table = 'price_notices';

type Read = PriceNoticeGiven | PriceNoticeWithdrawn;

const changeOf = ({ type, data }: RecordedEvent<SealedEvent<Read>>): RowChange => {
  const key = { subscription_id: data.subscriptionId };
  switch (type) {
    case 'PriceNoticeGiven': {
      const { accountId, announcementId, renewsAt } = data;
      const row = { account_id: accountId, announcement_id: announcementId, due_at: priceIsDueAt(renewsAt) };
      return { op: 'put', table, key, row };
    }
    case 'PriceNoticeWithdrawn':
      return { op: 'remove', table, key };
    default:
      return type satisfies never;
  }
};

/** Whom announced prices concern. */
export const priceNotices = defineProjection<Read>({
  name: 'price_notices',
  version: 1,
  database: 'tapedeck',
  // A replay of payments tells nobody of a price.
  replay: {},
  types: { PriceNoticeGiven: true, PriceNoticeWithdrawn: true },
  tables: [
    {
      name: table,
      key: ['subscription_id'],
      columns: {
        subscription_id: 'text not null',
        account_id: 'uuid not null',
        announcement_id: 'uuid not null',
        due_at: 'timestamptz not null',
      },
      indexes: ['(announcement_id, subscription_id)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
