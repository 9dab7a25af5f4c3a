import { recordedEvent } from '@tapedeck/eventing/testing';
// oxlint-disable-next-line no-restricted-imports -- only for tests
import { demoRecords } from '@tapedeck/strategies/demo';
import { explorerStrategies, updatesOf } from '../projections/explorer-strategies.ts';
import type { ExplorerRow } from '../search-port.ts';

/** The demo catalogue as an engine receives it from the read model. */
export const demoRows = (count: number): readonly ExplorerRow[] =>
  [...demoRecords({ count })].flatMap((record) => {
    const { url_id } = record;
    const event = { type: 'StrategyImported', data: { record } };
    const changes = explorerStrategies.fold([recordedEvent(event, { stream: `strategy-${url_id}` })]);
    return updatesOf(changes, 1).flatMap((update) => (update.op === 'put' ? [update.row] : []));
  });
