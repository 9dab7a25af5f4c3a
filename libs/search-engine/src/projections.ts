import type { Projection } from '@tapedeck/eventing';
import type { Migration } from '@tapedeck/platform/migrations';
import { explorerEdgesSql } from './migrations/explorer-edges.ts';
import { explorerIndexSql } from './migrations/explorer-index.ts';
import { explorerStrategies } from './projections/explorer-strategies.ts';

export { explorerStrategies };

export const searchEngineProjections: readonly Projection[] = [explorerStrategies];

/** Tables that are not read models; ids are stored in databases and stay as they are. */
export const searchEngineMigrations: readonly Migration[] = [
  { id: 'explorer/001-edges', database: 'catalogue', sql: explorerEdgesSql },
  { id: 'explorer/002-index', database: 'catalogue', sql: explorerIndexSql },
];
