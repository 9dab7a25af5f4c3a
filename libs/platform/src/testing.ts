export * from './testing/databases.ts';
export * from './testing/http-app.ts';
export * from './testing/product.ts';
