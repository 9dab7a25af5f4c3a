export * from './testing/demo-rows.ts';
export * from './testing/newer-program.ts';
export * from './testing/poison.ts';
export * from './testing/random-catalogue.ts';
export * from './testing/strategy-tape.ts';
export * from './testing/test-catalogue.ts';
