import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { poolOf, waitForPosition } from '@tapedeck/eventing/projections';
import type { Databases } from '@tapedeck/platform/databases';
import { Health, ReadModels } from '@tapedeck/platform/http';
import { DATABASES } from '@tapedeck/platform/tokens';
import { databaseNames, projections, type DatabaseName } from '@tapedeck/composition/modules';

/** Lets routes wait for any read model, and readiness look at both databases. */
@Injectable()
export class ReadModelRegistration implements OnModuleInit {
  readonly #readModels: ReadModels;
  readonly #health: Health;
  readonly #databases: Databases<DatabaseName>;

  constructor(readModels: ReadModels, health: Health, @Inject(DATABASES) databases: Databases<DatabaseName>) {
    this.#readModels = readModels;
    this.#health = health;
    this.#databases = databases;
  }

  onModuleInit(): void {
    for (const projection of projections) {
      this.#readModels.register(projection.name, (position, timeoutMs) =>
        waitForPosition(poolOf(this.#databases, projection), projection.name, position, timeoutMs),
      );
    }
    for (const name of databaseNames) {
      this.#health.register(name, async () => {
        await this.#databases[name].query('select 1');
        return 'ok';
      });
    }
  }
}
