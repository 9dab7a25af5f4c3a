export * from './wire/answers.ts';
export * from './wire/brush-codec.ts';
export * from './wire/comparison.ts';
export * from './wire/places.ts';
export * from './wire/queries.ts';
export * from './wire/routes.ts';
export * from './wire/teaser.ts';

/** The addresses of its screens. */
export const explorerScreens = ['/strategies'] as const;
