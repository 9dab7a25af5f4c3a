import { setTimeout as wait } from 'node:timers/promises';
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

/** How long the start of the application waits for the catalogue; searches then fail until it is loaded. */
const maxStartWaitMs = 30_000;

const stillLoading = (): DomainError =>
  new DomainError(
    'unavailable',
    'CATALOGUE_LOADING',
    'The catalogue is still being loaded: try again in a few seconds.',
  );

/** Starts the backend's feed with the application, and stops it with it. */
@Injectable()
export class CatalogueFeed implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #backend: SearchBackend;
  #feed: EngineFeed | undefined;
  #listeners: ((position: Position) => void)[] = [];

  constructor(@Inject(SEARCH_BACKEND) backend: SearchBackend) {
    this.#backend = backend;
  }

  /** Resolves when the catalogue is loaded, at the latest after `maxStartWaitMs`; loading then continues. */
  async onApplicationBootstrap(): Promise<void> {
    const feed = this.#backend.follow();
    this.#feed = feed;
    for (const listener of this.#listeners) feed.onChange(listener);
    const started = new AbortController();
    const timeout = wait(maxStartWaitMs, undefined, { signal: started.signal });
    await Promise.race([feed.ready, timeout]).finally(() => started.abort());
  }

  async onModuleDestroy(): Promise<void> {
    await this.#feed?.stop();
  }

  /** Calls the listener with the position of every change of the catalogue; may be called before the start. */
  onChange(listener: (position: Position) => void): void {
    this.#listeners.push(listener);
    this.#feed?.onChange(listener);
  }

  isReady(): boolean {
    return this.#feed?.isReady() ?? false;
  }

  /** @throws DomainError SEARCH_UNAVAILABLE, or CATALOGUE_LOADING before the engine has first reached the end of the tape. */
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

/** For `@ReadsFrom`: the catalogue in this process's engine, not the rows in the database. */
export const explorerCatalogue = 'explorer-catalogue';

/** Registers the engine for `@ReadsFrom` and for the health checks. */
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
