export type * from './domain/audit.ts';
export { auditEvents, auditStream, noteSubject } from './domain/audit.ts';
