import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId as parseAccountId, derivedId } from '@tapedeck/kernel';
import type { AuditEvent } from './audit-events.ts';
import { auditDecider } from './decide.ts';

const { given } = deciderSpec(auditDecider);
const accountId = parseAccountId(derivedId('audited member'));
const noteId = derivedId('note');
const note = { accountId, noteId, text: 'Called about invoice', isPinned: true, eventId: null };
const personalSubject = `note:${noteId}`;
const added: AuditEvent = { type: 'NoteAdded', data: { ...note, personalSubject } };
const redacted: AuditEvent = { type: 'NoteRedacted', data: { accountId, noteId } };

describe('a note', () => {
  it('is added once', () => {
    const command = { type: 'AddNote', ...note, personalSubject } as const;
    given().when(command).then(added);
    given(added).when(command).thenNothing();
    given(added, redacted).when(command).thenNothing();
  });

  it('is redacted once, and only if it exists', () => {
    const command = { type: 'RedactNote', accountId, noteId } as const;
    given(added).when(command).then(redacted);
    given(added, redacted).when(command).thenNothing();
    given(added)
      .when({ ...command, noteId: derivedId('other note') })
      .thenRefused('NOTE_NOT_FOUND');
  });
});

describe('what support does', () => {
  it('is recorded: reading a member, and exporting the timeline', () => {
    given()
      .when({ type: 'ReadMember', accountId, day: '2026-11-22' })
      .then({ type: 'MemberRead', data: { accountId, day: '2026-11-22' } });
    const exported = { accountId, format: 'csv', filter: 'lanes=admin', events: 3, sha256: 'ab' } as const;
    given(added)
      .when({ type: 'RecordExport', ...exported })
      .then({ type: 'TimelineExported', data: exported });
  });
});
