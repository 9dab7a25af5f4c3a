import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { auditDecider, type AuditCommand } from '../domain/decide.ts';
import { auditEvents, auditStream, noteSubject } from '../domain/audit.ts';

export class RedactNote extends Command<void> {
  readonly type = 'RedactNote';

  constructor(
    readonly accountId: AccountId,
    readonly noteId: string,
  ) {
    super();
  }
}

@CommandHandler(RedactNote)
export class RedactNoteHandler implements ICommandHandler<RedactNote> {
  readonly #store: EventStore;
  readonly #handle: Handle<AuditCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#store = store;
    this.#handle = handle(store, auditDecider, auditEvents);
  }

  /** The event comes first: an effect deletes the key when this process does not get so far. */
  async execute(command: RedactNote): Promise<void> {
    await this.#handle(auditStream(command.accountId), command, requestCommandContext());
    await this.#store.forget(noteSubject(command.noteId));
  }
}
