import type { Projection } from '@tapedeck/eventing';
import type { Migration } from '@tapedeck/platform/migrations';
import { explorerEdgesSql } from './migrations/explorer-edges.ts';
import { explorerStrategies } from './projections/explorer-strategies.ts';

export const explorerProjections: readonly Projection[] = [explorerStrategies];

/** This room's tables that are not read models. */
export const explorerMigrations: readonly Migration[] = [
  { id: 'explorer/001-edges', database: 'catalogue', sql: explorerEdgesSql },
];
