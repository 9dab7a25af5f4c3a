import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Position } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import { Health, ReadModels, type HealthState } from '@tapedeck/platform/http';
import { SEARCH_BACKEND, searchUnavailable, type EngineFeed, type SearchBackend } from './search-backend.ts';

/** How long a start waits for the catalogue, in milliseconds; afterwards readers are told to come back. */
const longestStart = 30_000;

const stillLoading = (): DomainError =>
  new DomainError(
    'unavailable',
    'CATALOGUE_LOADING',
    'The catalogue is still being loaded: try again in a few seconds.',
  );

/** The feed over the life of the application: the start waits for it, the end stops it. */
@Injectable()
export class CatalogueFeed implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #backend: SearchBackend;
  #feed: EngineFeed | undefined;
  #listeners: ((position: Position) => void)[] = [];

  constructor(@Inject(SEARCH_BACKEND) backend: SearchBackend) {
    this.#backend = backend;
  }

  /** The catalogue is ready, or the attempt to load it has taken too long and goes on in the background. */
  async onApplicationBootstrap(): Promise<void> {
    const feed = this.#backend.follow();
    this.#feed = feed;
    for (const listener of this.#listeners) feed.onChange(listener);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestStart);
    });
    await Promise.race([feed.ready, late]);
    clearTimeout(timer);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#feed?.stop();
  }

  /** Calls after every change of the catalogue, from the start on. */
  onChange(listener: (position: Position) => void): void {
    this.#listeners.push(listener);
    this.#feed?.onChange(listener);
  }

  isReady(): boolean {
    return this.#feed?.isReady() ?? false;
  }

  /** @throws DomainError SEARCH_UNAVAILABLE, or CATALOGUE_LOADING before the engine has once been at the end of the tape. */
  assertReady(): void {
    if (this.#backend.isUnavailable()) throw searchUnavailable();
    if (!this.isReady()) throw stillLoading();
  }

  health(): HealthState {
    return this.isReady() ? 'ok' : this.#backend.healthWhenNotReady;
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#feed?.waitFor(position, timeoutMs) ?? Promise.resolve(false);
  }
}

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
