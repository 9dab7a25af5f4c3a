export * from './http/bootstrap.ts';
export * from './http/client-config.ts';
export { drain } from './http/drain.ts';
export * from './http/etag.ts';
export * from './http/health.controller.ts';
export * from './http/read-gate.ts';
export * from './http/request-context.ts';
export * from './http/request-signal.ts';
export * from './http/routes.ts';
