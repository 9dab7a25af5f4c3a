import type { EventTypes, Projection } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { savedSearchEvents } from '@tapedeck/explorer/events';
import { explorerMigrations, explorerProjections } from '@tapedeck/explorer/projections';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import { identityEvents } from '@tapedeck/identity/events';
import { identityMigrations, identityProjections } from '@tapedeck/identity/projections';
import type { Migration } from '@tapedeck/platform/migrations';
import { strategyEvents } from '@tapedeck/strategies/events';
import { strategyProjections } from '@tapedeck/strategies/projections';

/** Every room's event types: what the store can read and write. */
export const eventTypes: EventTypes = {
  ...identityEvents,
  ...strategyEvents,
  ...savedSearchEvents,
  ...favouriteEvents,
};

/** Every room's read models. */
export const projections: readonly Projection[] = [
  ...identityProjections,
  ...strategyProjections,
  ...explorerProjections,
  ...favouriteProjections,
];

/** Every room's tables that are not read models. */
export const migrations: readonly Migration[] = [
  ...eventingMigrations,
  ...identityMigrations,
  ...explorerMigrations,
];
