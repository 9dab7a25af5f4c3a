import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor, EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { ImportId } from '../domain/ids.ts';
import { openImportStream } from '../import/import-report.ts';
import { storeUpload, type UploadedFile } from '../upload/store-upload.ts';

/** Returns the id of the import, which the projector executes; the same one while the same file waits. */
export class UploadStrategies extends Command<ImportId> {
  constructor(
    readonly file: UploadedFile,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(UploadStrategies)
export class UploadStrategiesHandler implements ICommandHandler<UploadStrategies> {
  readonly #pool: Databases['tapedeck'];
  readonly #store: EventStore;
  readonly #clock: Clock;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#pool = databases.tapedeck;
    this.#store = store;
    this.#clock = clock;
  }

  async execute({ file, actor }: UploadStrategies): Promise<ImportId> {
    const { importId, source, isRepeated } = await storeUpload(this.#pool, file, actor);
    if (isRepeated) return importId;
    // When this process ends here, the importing one requests it under the same id.
    const stream = openImportStream({ importId, store: this.#store, actor, clock: this.#clock });
    await stream.request(source);
    return importId;
  }
}
