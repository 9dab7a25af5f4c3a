import type { Effect, EventStore, RecordedEvent } from '@tapedeck/eventing';
import { accountStream, type AccountForgotten } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import { auditStream, noteSubject, type NoteAdded, type NoteRedacted } from '../events.ts';

export type AuditPorts = Readonly<{ store: Pick<EventStore, 'readStream' | 'forget'> }>;

type Handled = AccountForgotten | NoteAdded | NoteRedacted;

const notesOf = async ({ store }: AuditPorts, account: AccountId): Promise<readonly string[]> => {
  const events = await store.readStream(auditStream(account), { form: 'sealed' });
  return events.flatMap(({ type, data }) =>
    type === ('NoteAdded' satisfies NoteAdded['type']) ? [String(data['noteId'])] : [],
  );
};

const isDeleted = async ({ store }: AuditPorts, account: AccountId): Promise<boolean> => {
  const events = await store.readStream(accountStream(account), { form: 'sealed' });
  return events.some(({ type }) => type === ('AccountForgotten' satisfies AccountForgotten['type']));
};

const noteIdsToForget = async (
  { type, data }: RecordedEvent<Handled>,
  ports: AuditPorts,
): Promise<readonly string[]> => {
  switch (type) {
    case 'NoteRedacted':
      return [data.noteId];
    case 'AccountForgotten':
      return notesOf(ports, data.accountId);
    case 'NoteAdded':
      // It was written while the account was deleted.
      return (await isDeleted(ports, data.accountId)) ? [data.noteId] : [];
    default:
      return type satisfies never;
  }
};

/** Deletes the keys of notes that were redacted, and of all notes about a deleted account. */
export const noteKeysEffect = (ports: AuditPorts): Effect => ({
  name: 'audit-note-keys',
  afterReplay: 'run',
  types: ['AccountForgotten', 'NoteAdded', 'NoteRedacted'],
  keyOf: ({ data }) => String(data['accountId']),
  run: async (event) => {
    // The runner gives an effect only events of its types.
    const ids = await noteIdsToForget(event as unknown as RecordedEvent<Handled>, ports);
    for (const id of ids) await ports.store.forget(noteSubject(id));
    return [];
  },
});
