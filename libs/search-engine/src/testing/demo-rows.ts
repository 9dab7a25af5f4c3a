import type { RecordedEvent } from '@tapedeck/eventing';
// oxlint-disable-next-line no-restricted-imports -- only for tests
import { demoRecords } from '@tapedeck/strategies/demo';
import { explorerStrategies, updatesOf } from '../projections/explorer-strategies.ts';
import type { ExplorerRow } from '../search-port.ts';

/** The demo catalogue as an engine receives it from the read model. */
export const demoRows = (count: number): readonly ExplorerRow[] =>
  [...demoRecords({ count })].flatMap((record) => {
    const { url_id } = record;
    // Only what the fold reads of an event.
    const event = { type: 'StrategyImported', data: { record }, stream: `strategy-${url_id}`, version: 1 };
    const changes = explorerStrategies.fold([event as unknown as RecordedEvent]);
    return updatesOf(changes, 1).flatMap((update) => (update.op === 'put' ? [update.row] : []));
  });
