import { defineEvents, type DomainEvent, type Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';

type OfMember = { accountId: AccountId };

/** Somebody of support has read a member's audit: once a day, person and member. `day`: ISO 8601 date in UTC. */
export type MemberRead = DomainEvent<'MemberRead', OfMember & { day: string }>;

/** What has left as a file. */
export type TimelineExported = DomainEvent<
  'TimelineExported',
  OfMember & {
    format: 'csv' | 'jsonl';
    /** The query of the request. */
    filter: string;
    events: number;
    /** Of the bytes that were sent, in hexadecimal. */
    sha256: string;
  }
>;

/** Each note has a key of its own, so that redacting it makes its text unreadable for good. */
export type NoteAdded = DomainEvent<
  'NoteAdded',
  OfMember & {
    noteId: string;
    text: Personal<string>;
    isPinned: boolean;
    eventId: string | null;
    personalSubject: string;
  }
>;
export type NoteRedacted = DomainEvent<'NoteRedacted', OfMember & { noteId: string }>;

export type AuditEvent = MemberRead | TimelineExported | NoteAdded | NoteRedacted;

export const auditEvents = defineEvents<AuditEvent>({
  MemberRead: { version: 1 },
  TimelineExported: { version: 1 },
  NoteAdded: { version: 1, personal: ['text'], subject: 'personalSubject' },
  NoteRedacted: { version: 1 },
});

export const auditStream = (account: AccountId): string => `audit-${account}`;
export const noteSubject = (noteId: string): string => `note:${noteId}`;

/** What was written about one member: notes by their ids, and whether they were redacted. */
export type Audit = Readonly<{ notes: ReadonlyMap<string, 'present' | 'redacted'> }>;

export const noAudit: Audit = { notes: new Map() };

export const evolve = (state: Audit, event: AuditEvent): Audit => {
  switch (event.type) {
    case 'MemberRead':
    case 'TimelineExported':
      return state;
    case 'NoteAdded':
      return { notes: new Map(state.notes).set(event.data.noteId, 'present') };
    case 'NoteRedacted':
      return { notes: new Map(state.notes).set(event.data.noteId, 'redacted') };
    default:
      return event satisfies never;
  }
};
