import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type Clock } from '@tapedeck/kernel';
import { CLOCK } from '@tapedeck/platform/tokens';
import { defaultScale } from '@tapedeck/search-engine/contract';
import {
  CatalogueFeed,
  DEMO_CATALOGUE,
  SEARCH_ENGINE,
  toSearchFilter,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import type { Teaser } from '../contract.ts';
import { columnField, rowField, teaserTable } from './teaser-table.ts';

/** A changed catalogue is counted again after this time at the earliest. */
export const teaserSeconds = 60;
/** While strategies are imported, the catalogue may change between the two requests of one count. */
const maxTries = 5;

export type HeldTeaser = Readonly<{ teaser: Teaser; etag: string }>;

const changedWhileCounted = (): DomainError =>
  new DomainError(
    'unavailable',
    'CATALOGUE_CHANGING',
    'The catalogue is changing at the moment: try again in a few seconds.',
  );

/** Weak: the answer is compressed in several ways. */
const etagOf = (teaser: Teaser): string =>
  `W/"${createHash('sha256').update(JSON.stringify(teaser)).digest('base64url').slice(0, 22)}"`;

/**
 * Counts the catalogue for all visitors at once: when it has changed, at most once in `teaserSeconds`. While it cannot be
 * counted, the last table stays.
 */
@Injectable()
export class CurrentTeaser {
  readonly #engine: SearchEngine;
  readonly #isDemo: () => boolean;
  readonly #feed: CatalogueFeed;
  readonly #clock: Clock;
  #held: HeldTeaser | undefined;
  #isChanged = true;
  #countedAt = -Infinity;
  #counting: Promise<HeldTeaser> | undefined;

  constructor(
    @Inject(SEARCH_ENGINE) engine: SearchEngine,
    @Inject(DEMO_CATALOGUE) isDemo: () => boolean,
    feed: CatalogueFeed,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#engine = engine;
    this.#isDemo = isDemo;
    this.#feed = feed;
    this.#clock = clock;
    feed.onChange(() => {
      this.#isChanged = true;
    });
  }

  /** @throws DomainError SEARCH_UNAVAILABLE, CATALOGUE_LOADING, CATALOGUE_CHANGING before the first table */
  async get(): Promise<HeldTeaser> {
    const isFresh = this.#clock.now() - this.#countedAt < teaserSeconds * 1_000;
    if (this.#held && (isFresh || !this.#isChanged)) return this.#held;
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined;
    });
    const held = this.#held;
    return held ? this.#counting.catch(() => held) : this.#counting;
  }

  async #count(): Promise<HeldTeaser> {
    // Set before it can fail: an engine that cannot answer is asked once in this time, too.
    this.#countedAt = this.#clock.now();
    this.#feed.assertReady();
    this.#isChanged = false;
    try {
      const teaser = { ...(await this.#table()), demo: this.#isDemo() };
      this.#held = { teaser, etag: etagOf(teaser) };
      return this.#held;
    } catch (error) {
      this.#isChanged = true;
      throw error;
    }
  }

  async #table(): Promise<Omit<Teaser, 'demo'>> {
    const filter = toSearchFilter({});
    const scales = { [rowField]: defaultScale[rowField], [columnField]: defaultScale[columnField] };
    for (let tries = 0; tries < maxTries; tries++) {
      const { histograms, position } = await this.#engine.search(
        { filter, histograms: scales },
        { isBackground: true },
      );
      const slice = await this.#engine.brush(
        { filter, active: rowField, scales: defaultScale },
        { isBackground: true },
      );
      const edgesOf = (name: string): readonly number[] =>
        histograms.find(({ field }) => field === name)?.edges ?? [];
      if (slice.position === position)
        return teaserTable(slice, { rows: edgesOf(rowField), columns: edgesOf(columnField) });
    }
    throw changedWhileCounted();
  }
}
