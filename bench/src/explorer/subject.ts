import type { Ranges, Refreshed } from './figures.ts';

/**
 * `ours`; `stateless`: another engine that answers anybody's question; `stateful`: keeps one user's filters;
 * `loop`: what anybody would write first, no engine at all.
 */
type Kind = 'ours' | 'stateless' | 'stateful' | 'loop';

/** Somebody who can do a full refresh. */
export type Subject = Readonly<{
  name: string;
  kind: Kind;
  refresh: (ranges: Ranges) => Promise<Refreshed>;
}>;

/** One or several ways of options the same loaded contender. */
export type Contender = Readonly<{ subjects: readonly Subject[]; close: () => Promise<void> }>;
