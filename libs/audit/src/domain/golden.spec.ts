import { goldenEvents } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { auditEvents } from '../events.ts';
import type { AuditEvent } from './audit.ts';

type Samples = {
  readonly [Type in AuditEvent['type']]: Extract<AuditEvent, { type: Type }>['data'];
};

const about = { accountId: accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10') };
const noteId = '5b1c7a52-54a1-5a5e-8f3e-0c4d6b8f7e21';

goldenEvents(new URL('golden/', import.meta.url), auditEvents, {
  MemberRead: { ...about, day: '2026-11-22' },
  TimelineExported: {
    ...about,
    format: 'csv',
    filter: 'lanes=payment',
    events: 12,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  NoteAdded: {
    ...about,
    noteId,
    text: 'Asked for a refund by telephone',
    isPinned: true,
    eventId: '7a0f3c2e-1111-5d8e-9a53-3f1d6d1f3a10',
    personalSubject: `note:${noteId}`,
  },
  NoteRedacted: { ...about, noteId },
} satisfies Samples);
