export * from './catalogue/catch-up-state.ts';
export * from './catalogue/stored-edges.ts';
export * from './projections/explorer-strategies.ts';
export * from './projections/watch-rows.ts';
