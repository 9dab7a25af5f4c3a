import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import { identityEvents } from '@tapedeck/identity/events';
import { identityMigrations, identityProjections } from '@tapedeck/identity/projections';
import type { Config } from '@tapedeck/platform/config';
import { savedSearchEvents } from '@tapedeck/saved-searches/events';
import { savedSearchProjections } from '@tapedeck/saved-searches/projections';
import { searchEngineMigrations, searchEngineProjections } from '@tapedeck/search-engine/projections';
import { strategyEvents } from '@tapedeck/strategies/events';
import { strategyDatabases, strategyMigrations, strategyProjections } from '@tapedeck/strategies/projections';
import { compose } from './compose.ts';

/** Every module's event types, read models and migrations: what the tape, the projector and each start need. */
export const { eventTypes, projections, migrations } = compose([
  { name: 'eventing', migrations: eventingMigrations },
  {
    name: 'identity',
    eventTypes: identityEvents,
    projections: identityProjections,
    migrations: identityMigrations,
  },
  {
    name: 'strategies',
    eventTypes: strategyEvents,
    projections: strategyProjections,
    migrations: strategyMigrations,
  },
  { name: 'search-engine', projections: searchEngineProjections, migrations: searchEngineMigrations },
  { name: 'saved-searches', eventTypes: savedSearchEvents, projections: savedSearchProjections },
  { name: 'favourites', eventTypes: favouriteEvents, projections: favouriteProjections },
]);

/** Every module's databases: the name that its read models give, and where its address stands in the configuration. */
const databases = {
  tapedeck: ({ DATABASE_URL }: Config): string => DATABASE_URL,
  ...strategyDatabases,
};

export type DatabaseName = keyof typeof databases;

export const databaseNames: readonly DatabaseName[] = ['tapedeck', 'catalogue'];

export const databaseUrls = (config: Config): Readonly<Record<DatabaseName, string>> => ({
  tapedeck: databases.tapedeck(config),
  catalogue: databases.catalogue(config),
});
