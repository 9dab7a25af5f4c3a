import { defineProjection, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import { figuresOf, type StrategyEvent } from '@tapedeck/strategies/events';

export type FavouriteStrategyRow = Readonly<{
  title: string;
  author: string | null;
  total_pandl_percent: number | null;
  max_drawdown_percent: number | null;
  profit_factor: number | null;
  sharpe_ratio: number | null;
  total_trades: number | null;
  likes: number | null;
  views: number | null;
  /** Of the last change since the strategy is in the catalogue. */
  revised_at: Date | null;
}>;

const changeOf = (event: RecordedEvent<StrategyEvent>): readonly RowChange[] => {
  switch (event.type) {
    case 'StrategyImported':
    case 'StrategyRevised':
    case 'StrategyAmended': {
      const { record } = event.data;
      const figures = figuresOf(record);
      const row = {
        title: record.title,
        author: record.author,
        total_pandl_percent: figures.totalPandlPercent,
        max_drawdown_percent: figures.maxDrawdownPercent,
        profit_factor: figures.profitFactor,
        sharpe_ratio: figures.sharpeRatio,
        total_trades: figures.totalTrades,
        likes: figures.likes,
        views: figures.views,
        revised_at: event.type === 'StrategyImported' ? null : event.metadata.occurredAt,
      };
      return [{ op: 'put', table: 'favourite_strategies', key: { url_id: record.url_id }, row }];
    }
    case 'StrategyWithdrawn':
      return [{ op: 'remove', table: 'favourite_strategies', key: { url_id: event.data.urlId } }];
    default:
      return event satisfies never;
  }
};

/** What the list of favourites shows of a strategy, in this module's own rows. */
export const favouriteStrategies = defineProjection<StrategyEvent>({
  name: 'favourite_strategies',
  version: 2,
  database: 'tapedeck',
  types: { StrategyImported: true, StrategyRevised: true, StrategyAmended: true, StrategyWithdrawn: true },
  tables: [
    {
      name: 'favourite_strategies',
      key: ['url_id'],
      columns: {
        url_id: 'text not null',
        title: 'text not null',
        author: 'text',
        total_pandl_percent: 'double precision',
        max_drawdown_percent: 'double precision',
        profit_factor: 'double precision',
        sharpe_ratio: 'double precision',
        total_trades: 'double precision',
        likes: 'double precision',
        views: 'double precision',
        revised_at: 'timestamptz',
      },
    },
  ],
  fold: (events) => events.flatMap(changeOf),
});
