import type { RowChange } from '@tapedeck/eventing';
import { explorerTable, type StoredRow } from '../projections/explorer-strategies.ts';
import type { ExplorerRow, RowUpdate } from '../search-port.ts';

/** A row of the read model as the engine takes it. */
export const explorerRowOf = (row: StoredRow): ExplorerRow => ({
  urlId: row.url_id,
  version: row.version,
  title: row.title,
  author: row.author,
  description: row.description,
  categories: row.categories,
  spellings: row.spellings,
  symbol: row.symbol,
  pineVersion: row.pine_version,
  publicationDate: row.publication_date,
  backtestingStart: row.backtesting_start,
  backtestingEnd: row.backtesting_end,
  figures: {
    totalPandlPercent: row.total_pandl_percent,
    maxDrawdownPercent: row.max_drawdown_percent,
    profitFactor: row.profit_factor,
    sharpeRatio: row.sharpe_ratio,
    likes: row.likes,
    views: row.views,
    comments: row.comments,
    codeLines: row.code_lines,
  },
  totalTrades: row.total_trades,
  enhanced: row.enhanced,
  demo: row.demo,
});

/** What the changes of one event are for the engine: the same fold feeds the read model and it. */
export const updatesOf = (changes: readonly RowChange[], version: number): readonly RowUpdate[] =>
  changes.flatMap((change): readonly RowUpdate[] => {
    if (change.table !== explorerTable) return [];
    const urlId = String(change.key['url_id']);
    if (change.op === 'remove') return [{ op: 'remove', urlId, version }];
    if (change.op === 'put') {
      return [{ op: 'put', row: explorerRowOf({ ...(change.row as StoredRow), url_id: urlId }) }];
    }
    throw new Error('The explorer keeps whole rows: its fold must not change parts of one.');
  });
