import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Health, ReadModels } from '@tapedeck/platform/http';
import { CatalogueFeed } from './catalogue-feed.ts';

/** Name of this process's catalogue for `@ReadsFrom`: the engine, not the rows in the database. */
export const explorerCatalogue = 'explorer-catalogue';

/** Lets routes wait for the engine, and readiness ask for it. */
@Injectable()
export class CatalogueRegistration implements OnModuleInit {
  readonly #feed: CatalogueFeed;
  readonly #readModels: ReadModels;
  readonly #health: Health;

  constructor(feed: CatalogueFeed, readModels: ReadModels, health: Health) {
    this.#feed = feed;
    this.#readModels = readModels;
    this.#health = health;
  }

  onModuleInit(): void {
    this.#readModels.register(explorerCatalogue, (position, timeoutMs) =>
      this.#feed.waitFor(position, timeoutMs),
    );
    this.#health.register('explorer', () => Promise.resolve(this.#feed.health()));
  }
}
