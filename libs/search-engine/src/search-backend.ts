import type { EventStore, Position } from '@tapedeck/eventing';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { DomainError } from '@tapedeck/kernel';
import type pg from 'pg';
import type { RequestSender, SearchEngine } from './search-port.ts';

/** Nest token of the `SearchEngine`. */
export const SEARCH_ENGINE = Symbol('SearchEngine');
/** Nest token of the `SearchBackend`. */
export const SEARCH_BACKEND = Symbol('SearchBackend');
/** Nest token of `() => boolean`: whether the catalogue contains rows of the demo catalogue. */
export const DEMO_CATALOGUE = Symbol('DemoCatalogue');

/** Nest token of `SearchIndexFigures`. */
export const SEARCH_INDEX_FIGURES = Symbol('SearchIndexFigures');

/** What the index on another server contains; null for what cannot be found out now. */
export type IndexFigures = Readonly<{
  alias: string;
  name: string | null;
  documents: number | null;
  bytes: number | null;
  /** The tape is in it up to here. */
  position: string | null;
  isAvailable: boolean;
}>;

/** Undefined for an engine without an index of that kind. */
export type SearchIndexFigures = () => Promise<IndexFigures | undefined>;

/** Keeps an engine at the end of the tape. */
export type EngineFeed = Readonly<{
  /** Resolves when the engine has reached the end of the tape for the first time, or its server is known to be unavailable. */
  ready: Promise<void>;
  isReady: () => boolean;
  /** True when searches see the tape up to the position, false after `timeoutMs`. */
  waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /** Calls the listener with the position of every change of the catalogue; returns a function that unsubscribes. */
  onChange: (listener: (position: Position) => void) => () => void;
  stop: () => Promise<void>;
}>;

/** An engine together with the feed that fills it. */
export type SearchBackend = Readonly<{
  engine: SearchEngine;
  /** Starts the feed; to be called once, when the application starts. */
  follow: () => EngineFeed;
  /** True while the catalogue contains rows of the demo catalogue. */
  hasDemo: () => boolean;
  /** True while the engine's server cannot be used: searches fail, everything else works. */
  isUnavailable: () => boolean;
  /** Whether the engine would refuse such a request now; absent for an engine that cannot tell. */
  isBusy?: (sender: RequestSender) => boolean;
  indexFigures?: SearchIndexFigures;
  /** Health of the process while searches cannot be answered: `degraded` when the rest of it works. */
  healthWhenNotReady: 'down' | 'degraded';
}>;

export type BackendDependencies = Readonly<{
  store: EventStore;
  /** The database of the read model. */
  catalogue: pg.Pool;
  logger: ProjectorLogger;
}>;

/** Searches fail while the configured engine is unavailable; the other engine does not replace it. */
export const searchUnavailable = (cause?: string): DomainError =>
  new DomainError(
    'unavailable',
    'SEARCH_UNAVAILABLE',
    'The search is not available at the moment: try again in a few seconds.',
    cause === undefined ? {} : { cause },
  );

/** Seconds after which a refused request may be sent again: the engine's queue is shorter than that. */
const busyRetryAfterSeconds = 1;

/** The engine has more requests than it can answer in time: this one was refused before it cost anything. */
export const searchBusy = (): DomainError =>
  new DomainError(
    'unavailable',
    'SEARCH_BUSY',
    'The search has more requests than it can answer at the moment: try again in a second.',
    { retryAfterSeconds: busyRetryAfterSeconds },
  );
