import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId as parseAccountId, derivedId } from '@tapedeck/kernel';
import type { AuditEvent } from './audit.ts';
import { auditDecider } from './decide.ts';

const { given } = deciderSpec(auditDecider);
const accountId = parseAccountId(derivedId('audited member'));
const noteId = derivedId('note');
const note = { accountId, noteId, text: 'Called about invoice', isPinned: true, eventId: null };
const personalSubject = `note:${noteId}`;
const added: AuditEvent = { type: 'NoteAdded', data: { ...note, personalSubject } };
const redacted: AuditEvent = { type: 'NoteRedacted', data: { accountId, noteId } };

describe('a note', () => {
  const add = { type: 'AddNote', ...note, personalSubject } as const;
  const redact = { type: 'RedactNote', accountId, noteId } as const;

  it('is added', () => given().when(add).then(added));
  it('is added once', () => given(added).when(add).thenNothing());
  it('is not added again after it was redacted', () => given(added, redacted).when(add).thenNothing());
  it('is redacted', () => given(added).when(redact).then(redacted));
  it('is redacted once', () => given(added, redacted).when(redact).thenNothing());
  it('is not redacted when it does not exist', () =>
    given(added)
      .when({ ...redact, noteId: derivedId('other note') })
      .thenRefused('NOTE_NOT_FOUND'));
});

describe('the record of what support does', () => {
  it('contains that a member was read', () =>
    given()
      .when({ type: 'ReadMember', accountId, day: '2026-11-22' })
      .then({ type: 'MemberRead', data: { accountId, day: '2026-11-22' } }));

  it('contains what of a timeline was exported', () => {
    const exported = { accountId, format: 'csv', filter: 'lanes=admin', events: 3, sha256: 'ab' } as const;
    given(added)
      .when({ type: 'RecordExport', ...exported })
      .then({ type: 'TimelineExported', data: exported });
  });
});
