import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import { type FavouriteEvent, favouriteEvents } from '../domain/favourites.ts';

export type FavouriteRow = Readonly<{
  account_id: string;
  url_id: string;
  tags: Sealed<readonly string[]>;
  revision: number;
  added_at: Date;
}>;

const changeOf = (event: RecordedEvent<SealedEvent<FavouriteEvent>>): RowChange => {
  const { accountId, urlId, revision } = event.data;
  const at = { table: 'favourites', key: { account_id: accountId, url_id: urlId } } as const;
  switch (event.type) {
    case 'FavouriteAdded':
      return {
        op: 'put',
        ...at,
        row: { tags: event.data.tags, revision, added_at: event.metadata.occurredAt },
      };
    case 'FavouriteRestored':
      return { op: 'put', ...at, row: { tags: event.data.tags, revision, added_at: event.data.addedAt } };
    case 'FavouriteTagsChanged':
      return { op: 'patch', ...at, row: { tags: event.data.tags, revision } };
    case 'FavouriteRemoved':
      return { op: 'remove', ...at };
    default:
      return event satisfies never;
  }
};

/** The favourites of every account, with their sealed tags. */
export const favourites = defineProjection<FavouriteEvent>({
  name: 'favourites',
  version: 2,
  database: 'tapedeck',
  types: favouriteEvents,
  tables: [
    {
      name: 'favourites',
      key: ['account_id', 'url_id'],
      columns: {
        account_id: 'uuid not null',
        url_id: 'text not null',
        tags: 'text not null',
        revision: 'integer not null',
        added_at: 'timestamptz not null',
      },
      indexes: ['(account_id, added_at desc)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
