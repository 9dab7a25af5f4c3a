import type { Decider } from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { type Audit, type AuditEvent, evolve, noAudit, type TimelineExported } from './audit.ts';

type OfMember = Readonly<{ accountId: AccountId }>;

/** Once for each reader, member and day: the command id is derived from these. */
export type ReadMember = Readonly<{ type: 'ReadMember'; day: string }> & OfMember;
export type RecordExport = Readonly<{ type: 'RecordExport' }> & TimelineExported['data'];
export type AddNote = Readonly<{
  type: 'AddNote';
  noteId: string;
  text: string;
  isPinned: boolean;
  eventId: string | null;
  /** The key of the note alone. */
  personalSubject: string;
}> &
  OfMember;
export type RedactNote = Readonly<{ type: 'RedactNote'; noteId: string }> & OfMember;

export type AuditCommand = ReadMember | RecordExport | AddNote | RedactNote;

const noteNotFound = (): DomainError =>
  new DomainError('not-found', 'NOTE_NOT_FOUND', 'This member has no such note: open the member again.');

const redact = ({ accountId, noteId }: RedactNote, { notes }: Audit): readonly AuditEvent[] => {
  const state = notes.get(noteId);
  if (state === undefined) throw noteNotFound();
  return state === 'redacted' ? [] : [{ type: 'NoteRedacted', data: { accountId, noteId } }];
};

const decide = (command: AuditCommand, state: Audit): readonly AuditEvent[] => {
  switch (command.type) {
    case 'ReadMember': {
      const { type: _, ...data } = command;
      return [{ type: 'MemberRead', data }];
    }
    case 'RecordExport': {
      const { type: _, ...data } = command;
      return [{ type: 'TimelineExported', data }];
    }
    case 'AddNote': {
      const { type: _, ...data } = command;
      return state.notes.has(command.noteId) ? [] : [{ type: 'NoteAdded', data }];
    }
    case 'RedactNote':
      return redact(command, state);
    default:
      return command satisfies never;
  }
};

export const auditDecider: Decider<Audit, AuditCommand, AuditEvent> = {
  initialState: noAudit,
  decide,
  evolve,
};
