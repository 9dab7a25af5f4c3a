import type { Position, RecordedEvent, RowChange, TapePage } from '@tapedeck/eventing';
import type { ColumnarEngine } from '../adapters/columnar/engine.ts';
import { explorerStrategies } from '../projections/explorer-strategies.ts';
import type { RowUpdate } from '../search-port.ts';
import type { FeedLogger } from './feed-logger.ts';
import { updatesOf } from './stored-rows.ts';

/** Puts the changes of several pages together, so that the engine takes them at once. */
export type Gathering = Readonly<{
  /** True when it is time to flush. */
  add: (page: TapePage) => boolean;
  /** Gives what was gathered to the engine; false when there was nothing. */
  flush: () => Promise<boolean>;
}>;

/** Milliseconds; an import is one long row of changes, and must show while it runs. */
const longestGathering = 200;
const mostGathered = 1_000;

/** The fold of the read model; an event that it throws at is left out, as the projector leaves it out. */
const changesOf = (event: RecordedEvent, logger: FeedLogger): readonly RowChange[] => {
  try {
    return explorerStrategies.fold([event]);
  } catch (error) {
    const { position, stream } = event;
    logger.error({ err: error, position: String(position), stream }, 'event left out of the explorer');
    return [];
  }
};

export const gatherFor = (engine: ColumnarEngine, logger: FeedLogger): Gathering => {
  let updates: RowUpdate[] = [];
  let since = 0;
  let position: Position = engine.position();
  return {
    add: (page) => {
      if (updates.length === 0) since = performance.now();
      for (const event of page.events) updates.push(...updatesOf(changesOf(event, logger), event.version));
      position = page.events.at(-1)?.position ?? position;
      const isLong = updates.length >= mostGathered || performance.now() - since >= longestGathering;
      return isLong || page.position >= page.head;
    },
    flush: async () => {
      if (updates.length === 0) return false;
      const gathered = updates;
      updates = [];
      await engine.apply(gathered, position);
      return true;
    },
  };
};
