import type { RecordedEvent } from '@tapedeck/eventing';
// oxlint-disable-next-line no-restricted-imports -- rows for tests: nothing of the product comes this way
import { demoRecords } from '@tapedeck/strategies/demo';
import { updatesOf } from '../projections/explorer-strategies.ts';
import { explorerStrategies } from '../projections/explorer-strategies.ts';
import type { ExplorerRow } from '../search-port.ts';

/** The demo catalogue as the read model would give it to an engine. */
export const demoRows = (count: number): readonly ExplorerRow[] =>
  [...demoRecords({ count })].flatMap((record) => {
    const { url_id } = record;
    // Only what the fold reads of an event.
    const event = { type: 'StrategyImported', data: { record }, stream: `strategy-${url_id}`, version: 1 };
    const changes = explorerStrategies.fold([event as unknown as RecordedEvent]);
    return updatesOf(changes, 1).flatMap((update) => (update.op === 'put' ? [update.row] : []));
  });
