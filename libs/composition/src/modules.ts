import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import { identityEvents } from '@tapedeck/identity/events';
import { identityMigrations, identityProjections } from '@tapedeck/identity/projections';
import { savedSearchEvents } from '@tapedeck/saved-searches/events';
import { savedSearchProjections } from '@tapedeck/saved-searches/projections';
import { searchEngineMigrations, searchEngineProjections } from '@tapedeck/search-engine/projections';
import { strategyEvents } from '@tapedeck/strategies/events';
import { strategyProjections } from '@tapedeck/strategies/projections';
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
  { name: 'strategies', eventTypes: strategyEvents, projections: strategyProjections },
  { name: 'search-engine', projections: searchEngineProjections, migrations: searchEngineMigrations },
  { name: 'saved-searches', eventTypes: savedSearchEvents, projections: savedSearchProjections },
  { name: 'favourites', eventTypes: favouriteEvents, projections: favouriteProjections },
]);
