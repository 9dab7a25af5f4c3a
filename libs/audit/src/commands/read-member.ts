import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandContext, handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { commandId, derivedId, eventIdFor, isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { CLOCK, EVENT_STORE } from '@tapedeck/platform/tokens';
import { auditDecider, type AuditCommand } from '../domain/decide.ts';
import { auditEvents, auditStream } from '../domain/audit.ts';

/** Records that the caller reads a member's history: once a day. */
export class ReadMember extends Command<void> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

@CommandHandler(ReadMember)
export class ReadMemberHandler implements ICommandHandler<ReadMember> {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #handle: Handle<AuditCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(CLOCK) clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#handle = handle(store, auditDecider, auditEvents);
  }

  async execute({ accountId }: ReadMember): Promise<void> {
    const { actor, correlationId } = requestCommandContext({ part: 'reading' });
    const day = isoNow(this.#clock).slice(0, 10);
    const stream = auditStream(accountId);
    const id = commandId(derivedId('member read', accountId, actor.id, day));
    if (await this.#store.findEvent(stream, eventIdFor(id, stream, 0))) return;
    const context = commandContext({ actor, clock: this.#clock, commandId: id, correlationId });
    await this.#handle(stream, { type: 'ReadMember', accountId, day }, context);
  }
}
