import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { accountStream } from '@tapedeck/identity/events';
import { derivedId, DomainError, eventId, type AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { auditDecider, type AuditCommand } from '../domain/decide.ts';
import { auditEvents, auditStream, noteSubject } from '../domain/audit.ts';
import { AUDIT_READS, type AuditReads } from '../queries/audit-reads.ts';
import { readEventRow } from '../queries/show-event.ts';

export type NoteContent = Readonly<{ text: string; isPinned: boolean; eventId: string | null }>;

/** Returns the id of the note: the same one for the same request. */
export class AddNote extends Command<string> {
  constructor(
    readonly accountId: AccountId,
    readonly content: NoteContent,
  ) {
    super();
  }
}

const deleted = (): DomainError =>
  new DomainError(
    'conflict',
    'ACCOUNT_DELETED',
    'This account was deleted: no more notes can be added to it.',
  );

const unknown = (): DomainError =>
  new DomainError(
    'not-found',
    'MEMBER_NOT_FOUND',
    'There is no account with this id: search for the member again.',
  );

/** @throws DomainError MEMBER_NOT_FOUND, ACCOUNT_DELETED */
const assertExists = async (store: EventStore, account: AccountId): Promise<void> => {
  const events = await store.readStream(accountStream(account), { form: 'sealed' });
  if (events.length === 0) throw unknown();
  if (events.some(({ type }) => type === 'AccountForgotten')) throw deleted();
};

@CommandHandler(AddNote)
export class AddNoteHandler implements ICommandHandler<AddNote> {
  readonly #store: EventStore;
  readonly #reads: AuditReads;
  readonly #handle: Handle<AuditCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(AUDIT_READS) reads: AuditReads) {
    this.#store = store;
    this.#reads = reads;
    this.#handle = handle(store, auditDecider, auditEvents);
  }

  async execute({ accountId, content }: AddNote): Promise<string> {
    await assertExists(this.#store, accountId);
    if (content.eventId !== null) await readEventRow(this.#reads, accountId, eventId(content.eventId));
    const context = requestCommandContext();
    const noteId = derivedId('note', context.commandId);
    const personalSubject = noteSubject(noteId);
    const command = { type: 'AddNote', accountId, noteId, ...content, personalSubject } as const;
    await this.#handle(auditStream(accountId), command, context);
    return noteId;
  }
}
