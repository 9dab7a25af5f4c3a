import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReactions } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { accountStream } from '@tapedeck/identity/events';
import { newId, type AccountId } from '@tapedeck/kernel';
import { createLogger } from '@tapedeck/platform/log';
import { AuditedMember, auditRoutes, NoteAdded, Timeline, type MemberNote } from './contract.ts';
import { auditStream, noteSubject } from './domain/audit.ts';
import { auditEffects } from './reactions.ts';
import { startAuditApi, supporter, type AuditApi } from './testing/audit-api.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

const addNote = async (
  member: AccountId,
  body: object,
  headers?: Record<string, string>,
): Promise<string> => {
  const answer = await api.call('POST', auditRoutes.notes(member), body, headers);
  if (answer.status !== 201) throw new Error(answer.text);
  return NoteAdded.parse(answer.body).noteId;
};
const notesOf = async (member: AccountId): Promise<readonly MemberNote[]> => {
  await api.project();
  return AuditedMember.parse((await api.call('GET', auditRoutes.member(member))).body).notes;
};

/** Runs the effects until they have handled everything. */
const runEffects = async (): Promise<void> => {
  const { store, clock, databases } = api;
  const logger = createLogger('test', 'silent');
  const parts = { store, pool: databases.tapedeck, databases: databases.pools, clock, logger };
  const running = startReactions({ ...parts, reactions: [], effects: auditEffects({ store }), dueDates: [] });
  const head = await store.head();
  await eventually(async () => {
    const { rows } = await databases.tapedeck.query(
      `select from projection_checkpoints c where projection = 'audit-note-keys' and position >= $1
          and not exists (select from reaction_pending_events)`,
      [String(head)],
    );
    expect(rows).toHaveLength(1);
  });
  await running.stop();
};

/** Whether the text can still be decrypted. */
const isReadable = async (member: AccountId, noteId: string): Promise<boolean> => {
  const events = await api.store.readStream(auditStream(member));
  const text = events.find(({ type, data }) => type === 'NoteAdded' && data['noteId'] === noteId)?.data[
    'text'
  ];
  return typeof text === 'string';
};

describe('a note', () => {
  it('is shown with its author, pinned ones first, and is the same one when its request is repeated', async () => {
    const member = await api.register('notes@example.com');
    await api.project();
    const { events } = Timeline.parse((await api.call('GET', auditRoutes.timeline(member))).body);
    const eventId = events[0]?.id ?? '';
    const first = await addNote(member, { text: ' Asked about the invoice ', isPinned: true });
    const headers = { 'idempotency-key': newId() };
    const second = await addNote(member, { text: 'Answered', eventId }, headers);
    expect(await addNote(member, { text: 'Answered', eventId }, headers)).toBe(second);
    expect(await notesOf(member)).toMatchObject([
      { noteId: first, text: 'Asked about the invoice', isPinned: true, eventId: null, writtenBy: supporter },
      { noteId: second, text: 'Answered', isPinned: false, eventId },
    ]);
  });

  it('is refused without an account, without a text, or about an event of another member', async () => {
    const member = await api.register('refused@example.com');
    await api.project();
    const post = async (to: AccountId, body: object): Promise<number> =>
      (await api.call('POST', auditRoutes.notes(to), body)).status;
    expect(await post(newId() as AccountId, { text: 'x' })).toBe(404);
    expect(await post(member, { text: '  ' })).toBe(400);
    expect(await post(member, { text: 'x', eventId: newId() })).toBe(404);
    expect((await api.call('DELETE', auditRoutes.note(member, newId()))).status).toBe(404);
  });

  it('cannot be read by anybody once it is redacted, and its place stays', async () => {
    const member = await api.register('redacted@example.com');
    const noteId = await addNote(member, { text: 'A secret' });
    for (const _ of [1, 2])
      expect((await api.call('DELETE', auditRoutes.note(member, noteId))).status).toBe(204);
    expect(await notesOf(member)).toMatchObject([{ noteId, text: null, redactedBy: supporter }]);
    expect(await isReadable(member, noteId)).toBe(false);
  });

  it('loses its key also when the process died after the event', async () => {
    const member = await api.register('died@example.com');
    const [noteId, kept] = [
      await addNote(member, { text: 'A secret' }),
      await addNote(member, { text: 'Kept' }),
    ];
    await api.add(auditStream(member), 'NoteRedacted', { accountId: member, noteId });
    expect(await isReadable(member, noteId)).toBe(true);
    await runEffects();
    expect(await isReadable(member, noteId)).toBe(false);
    expect(await isReadable(member, kept)).toBe(true);
  });

  it('loses its key with the account, also when it was written at the same time', async () => {
    const member = await api.register('deleted@example.com');
    const before = await addNote(member, { text: 'Before' });
    await api.add(accountStream(member), 'AccountForgotten', { accountId: member });
    await api.store.forget(member);
    const meanwhile = newId();
    const note = {
      text: 'Meanwhile',
      isPinned: false,
      eventId: null,
      personalSubject: noteSubject(meanwhile),
    };
    await api.add(auditStream(member), 'NoteAdded', { accountId: member, noteId: meanwhile, ...note });
    await runEffects();
    expect([await isReadable(member, before), await isReadable(member, meanwhile)]).toEqual([false, false]);
    expect((await api.call('POST', auditRoutes.notes(member), { text: 'After' })).status).toBe(409);
  });
});
