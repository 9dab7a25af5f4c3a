import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { AuditEvent } from './domain/audit-events.ts';

export type * from './domain/audit-events.ts';

export const auditEvents = defineEvents<AuditEvent>({
  MemberRead: { version: 1 },
  TimelineExported: { version: 1 },
  NoteAdded: { version: 1, personal: ['text'], subject: 'personalSubject' },
  NoteRedacted: { version: 1 },
});

export const auditStream = (account: AccountId): string => `audit-${account}`;
export const noteSubject = (noteId: string): string => `note:${noteId}`;
