import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import { identityEvents } from '@tapedeck/identity/events';
import { identityMigrations, identityProjections } from '@tapedeck/identity/projections';
import { savedSearchEvents } from '@tapedeck/saved-searches/events';
import { savedSearchProjections } from '@tapedeck/saved-searches/projections';
import { searchEngineMigrations, searchEngineProjections } from '@tapedeck/search-engine/projections';
import { strategyEvents } from '@tapedeck/strategies/events';
import { strategyDatabases, strategyMigrations, strategyProjections } from '@tapedeck/strategies/projections';
import { compose } from './compose.ts';

/** The databases, event types, read models and migrations of all modules. */
export const { databases, eventTypes, projections, migrations } = compose([
  {
    name: 'eventing',
    databases: { tapedeck: ({ DATABASE_URL }) => DATABASE_URL },
    migrations: eventingMigrations,
  },
  {
    name: 'identity',
    eventTypes: identityEvents,
    projections: identityProjections,
    migrations: identityMigrations,
  },
  {
    name: 'strategies',
    databases: strategyDatabases,
    eventTypes: strategyEvents,
    projections: strategyProjections,
    migrations: strategyMigrations,
  },
  { name: 'search-engine', projections: searchEngineProjections, migrations: searchEngineMigrations },
  { name: 'saved-searches', eventTypes: savedSearchEvents, projections: savedSearchProjections },
  { name: 'favourites', eventTypes: favouriteEvents, projections: favouriteProjections },
]);

export type DatabaseName = keyof typeof databases;
