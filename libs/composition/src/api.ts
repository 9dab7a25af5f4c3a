import { Controller, Get, Inject, Module } from '@nestjs/common';
import { poolOf, waitForPosition } from '@tapedeck/eventing/projections';
import type { Databases } from '@tapedeck/platform/databases';
import { ClientConfigParts, Health, Public, ReadModels, Returns } from '@tapedeck/platform/http';
import { DATABASES } from '@tapedeck/platform/tokens';
import { ClientConfig } from './contract.ts';
import { projections, type DatabaseName } from './modules.ts';

@Public()
@Controller('api/config')
class ClientConfigController {
  readonly #parts: ClientConfigParts;

  constructor(parts: ClientConfigParts) {
    this.#parts = parts;
  }

  /** `parse` fails when a module has not registered its part. */
  @Get()
  @Returns(200, ClientConfig)
  config(): ClientConfig {
    return ClientConfig.parse(this.#parts.all());
  }
}

/** What concerns all modules: `GET /api/config`, waiting for any read model, and readiness of the databases. */
@Module({ controllers: [ClientConfigController] })
export class CompositionModule {
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
    for (const [name, pool] of Object.entries(this.#databases)) {
      this.#health.register(name, async () => {
        await pool.query('select 1');
        return 'ok';
      });
    }
  }
}
