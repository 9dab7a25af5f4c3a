export * from './catalogue/snap-points.ts';
export * from './catalogue/edges.ts';
export * from './catalogue/precision.ts';
export * from './catalogue/similarity.ts';
export * from './catalogue/text.ts';
