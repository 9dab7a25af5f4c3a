import type { Projection } from '@tapedeck/eventing';
import { explorerAdditions } from './projections/explorer-additions.ts';
import { savedSearches } from './projections/saved-searches.ts';

export const savedSearchProjections: readonly Projection[] = [explorerAdditions, savedSearches];
