import {
  defineEffect,
  readEvents,
  type Effect,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { accountStream, identityEvents, type AccountForgotten } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import { auditEvents, auditStream, noteSubject, type NoteAdded, type NoteRedacted } from '../domain/audit.ts';

export type AuditPorts = Readonly<{ store: Pick<EventStore, 'readStream' | 'forget'> }>;

type Handled = AccountForgotten | NoteAdded | NoteRedacted;

const notesOf = async ({ store }: AuditPorts, account: AccountId): Promise<readonly string[]> => {
  const events = await readEvents(store, auditStream(account), auditEvents, { form: 'sealed' });
  return events.flatMap(({ type, data }) => (type === 'NoteAdded' ? [data.noteId] : []));
};

const isDeleted = async ({ store }: AuditPorts, account: AccountId): Promise<boolean> => {
  const events = await readEvents(store, accountStream(account), identityEvents, { form: 'sealed' });
  return events.some(({ type }) => type === 'AccountForgotten');
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
export const noteKeysEffect = (ports: AuditPorts): Effect =>
  defineEffect<Handled>({
    name: 'audit-note-keys',
    afterReplay: 'run',
    types: { AccountForgotten: true, NoteAdded: true, NoteRedacted: true },
    keyOf: ({ data }) => data.accountId,
    run: async (event) => {
      for (const id of await noteIdsToForget(event, ports)) await ports.store.forget(noteSubject(id));
      return [];
    },
  });
