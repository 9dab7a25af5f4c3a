import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { waitForPosition } from '@tapedeck/eventing/projections';
import type { Databases } from '@tapedeck/platform/databases';
import { Health, ReadModels } from '@tapedeck/platform/http';
import { DATABASES } from '@tapedeck/platform/tokens';
import { projections } from '@tapedeck/composition/modules';

/** Lets routes wait for any read model, and readiness look at both databases. */
@Injectable()
export class ReadModelRegistration implements OnModuleInit {
  readonly #readModels: ReadModels;
  readonly #health: Health;
  readonly #databases: Databases;

  constructor(readModels: ReadModels, health: Health, @Inject(DATABASES) databases: Databases) {
    this.#readModels = readModels;
    this.#health = health;
    this.#databases = databases;
  }

  onModuleInit(): void {
    for (const { name, database } of projections) {
      this.#readModels.register(name, (position, timeoutMs) =>
        waitForPosition(this.#databases[database], name, position, timeoutMs),
      );
    }
    for (const name of ['tapedeck', 'catalogue'] as const) {
      this.#health.register(name, async () => {
        await this.#databases[name].query('select 1');
        return 'ok';
      });
    }
  }
}
