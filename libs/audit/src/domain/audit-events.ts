import type { DomainEvent, Personal } from '@tapedeck/eventing/core';
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
