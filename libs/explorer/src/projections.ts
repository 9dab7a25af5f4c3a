import type { Projection } from '@tapedeck/eventing';
import type { Migration } from '@tapedeck/platform/migrations';
import { explorerEdgesSql } from './migrations/explorer-edges.ts';
import { explorerIndexSql } from './migrations/explorer-index.ts';
import { explorerAdditions } from './projections/explorer-additions.ts';
import { explorerStrategies } from './projections/explorer-strategies.ts';
import { savedSearches } from './projections/saved-searches.ts';

export const explorerProjections: readonly Projection[] = [
  explorerStrategies,
  explorerAdditions,
  savedSearches,
];

/** This room's tables that are not read models. */
export const explorerMigrations: readonly Migration[] = [
  { id: 'explorer/001-edges', database: 'catalogue', sql: explorerEdgesSql },
  { id: 'explorer/002-index', database: 'catalogue', sql: explorerIndexSql },
];
