export * from './testing/databases.ts';
export * from './testing/http-app.ts';
export * from './testing/product.ts';
export { raisedLimits } from './testing/raised-limits.ts';
