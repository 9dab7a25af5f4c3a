import type { SortField } from '@tapedeck/search-engine/contract';

export const sortNames: Readonly<Record<SortField, string>> = {
  total_pandl: 'Total P&L',
  max_equity_drawdown: 'Max Drawdown',
  profit_factor: 'Profit Factor',
  sharpe_ratio_all: 'Sharpe Ratio',
  total_trades: 'Trades',
  publication_date: 'Publication Date',
  likes: 'Likes',
  views: 'Views',
};
