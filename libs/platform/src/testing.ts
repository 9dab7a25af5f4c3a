export * from './testing/databases.ts';
export * from './testing/product.ts';
