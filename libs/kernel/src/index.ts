export * from './clock.ts';
export * from './csv.ts';
export * from './email.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './json.ts';
export * from './mail.ts';
export * from './money.ts';
