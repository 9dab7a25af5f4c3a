import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type CommandContext, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { TimelineFilter } from '../contract.ts';
import { auditDecider, type AuditCommand } from '../domain/decide.ts';
import { auditEvents, auditStream } from '../domain/audit.ts';
import { AUDIT_READS, readPerson, type AuditReads } from '../queries/audit-reads.ts';
import { timelinePieces, type ExportFormat } from '../queries/timeline-pieces.ts';

/** The bytes of the file; what has left is recorded when it ends, wherever it ends. */
export class ExportTimeline extends Command<AsyncIterable<Buffer>> {
  constructor(
    readonly accountId: AccountId,
    readonly filter: TimelineFilter,
    readonly format: ExportFormat,
  ) {
    super();
  }
}

/** @example filterText({ lanes: ['mail', 'admin'], actorKind: 'stripe' }) // 'lanes=mail%2Cadmin&actorKind=stripe' */
const filterText = (filter: TimelineFilter): string =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString();

@CommandHandler(ExportTimeline)
export class ExportTimelineHandler implements ICommandHandler<ExportTimeline> {
  readonly #reads: AuditReads;
  readonly #handle: Handle<AuditCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(AUDIT_READS) reads: AuditReads) {
    this.#reads = reads;
    this.#handle = handle(store, auditDecider, auditEvents);
  }

  async execute(command: ExportTimeline): Promise<AsyncIterable<Buffer>> {
    await readPerson(this.#reads, command.accountId);
    return this.#bytes(command, requestCommandContext());
  }

  /**
   * The last bytes are followed by the end of the answer only once the export is recorded, so every whole file is
   * known to the tape. A client that leaves ends the iteration, and what it was sent until then is recorded.
   */
  async *#bytes(
    { accountId, filter, format }: ExportTimeline,
    context: CommandContext,
  ): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let events = 0;
    try {
      for await (const piece of timelinePieces(this.#reads, { accountId, filter, format })) {
        const bytes = Buffer.from(piece.text);
        hash.update(bytes);
        events += piece.events;
        yield bytes;
      }
    } finally {
      const sent = { accountId, format, filter: filterText(filter), events, sha256: hash.digest('hex') };
      await this.#handle(auditStream(accountId), { type: 'RecordExport', ...sent }, context);
    }
  }
}
