import type { Projection } from '@tapedeck/eventing';
import { favouriteStrategies } from './projections/favourite-strategies.ts';
import { favourites } from './projections/favourites.ts';

export const favouriteProjections: readonly Projection[] = [favourites, favouriteStrategies];
