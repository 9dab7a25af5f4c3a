export * from './domain/account.ts';
export * from './domain/decide.ts';
