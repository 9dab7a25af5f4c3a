import type { AuditEvent } from './audit-events.ts';

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
