import type { EventStore, Position } from '@tapedeck/eventing';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { DomainError } from '@tapedeck/kernel';
import type pg from 'pg';
import type { SearchEngine } from './search-port.ts';

/** The search engine, for Nest. */
export const SEARCH_ENGINE = Symbol('SearchEngine');
/** The engine together with its feed, for Nest. */
export const SEARCH_BACKEND = Symbol('SearchBackend');

/** `() => boolean`: whether the catalogue still holds generated strategies. */
export const DEMO_CATALOGUE = Symbol('DemoCatalogue');

/** Keeps an engine at the end of the tape; ready when it holds everything that was there at the start. */
export type EngineFeed = Readonly<{
  /** Resolves when the engine has caught up for the first time. */
  ready: Promise<void>;
  isReady: () => boolean;
  /** False when `timeoutMs` have passed first. */
  waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /** Calls after every change of the catalogue, with its position; returns how to stop that. */
  onChange: (listener: (position: Position) => void) => () => void;
  stop: () => Promise<void>;
}>;

/** An engine, and what brings it to the end of the tape and keeps it there. */
export type SearchBackend = Readonly<{
  engine: SearchEngine;
  /** Begins to follow the tape; called once, when the application starts. */
  follow: () => EngineFeed;
  /** True while rows of the demo catalogue are in. */
  hasDemo: () => boolean;
  /** True while the engine's server cannot be used: readers get an error, all else goes on (D20). */
  isUnavailable: () => boolean;
  /** Health of a process whose catalogue cannot answer: of no use, or good for everything else. */
  healthWhenNotReady: 'down' | 'degraded';
}>;

export type BackendDependencies = Readonly<{
  store: EventStore;
  /** The database of the read model. */
  catalogue: pg.Pool;
  logger: ProjectorLogger;
}>;

/** Selects the engine: Elasticsearch when it has an address, else the one in this process. */
export type EngineConfig = Readonly<{
  ELASTICSEARCH_URL?: string | undefined;
  ELASTICSEARCH_API_KEY?: string | undefined;
  ELASTICSEARCH_INDEX: string;
}>;

/** D20: the configured engine's server cannot be used; nothing else answers in its place. */
export const searchUnavailable = (cause?: string): DomainError =>
  new DomainError(
    'unavailable',
    'SEARCH_UNAVAILABLE',
    'The search is not available at the moment: try again in a few seconds.',
    cause === undefined ? {} : { cause },
  );
