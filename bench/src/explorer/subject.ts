import type { Ranges, Refreshed } from './figures.ts';

/**
 * `ours`: the product's engine; `stateless`: another engine that keeps no filters between requests; `stateful`: an
 * engine that keeps the filters of one user; `loop`: a plain loop without an engine.
 */
type Kind = 'ours' | 'stateless' | 'stateful' | 'loop';

/** An implementation of the full refresh that is measured. */
export type Subject = Readonly<{
  name: string;
  kind: Kind;
  refresh: (ranges: Ranges) => Promise<Refreshed>;
}>;

/** An engine with loaded data, and one or several ways to query it. */
export type Contender = Readonly<{ subjects: readonly Subject[]; close: () => Promise<void> }>;
