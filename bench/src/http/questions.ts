import { explorerRoutes, type Exploration } from '@tapedeck/explorer/contract';
import { facetParameter, sortFields } from '@tapedeck/search-engine/contract';
import type { Random } from '../random.ts';

const words = ['macd', 'rsi', 'supertrend', 'ema', 'breakout', 'scalp', 'btc'];
const perPage = 12;

const pick = <T>(random: Random, all: readonly T[]): T | undefined => all[random.below(all.length)];

/** An interaction as the page makes it: some ranges between bin edges, now and then a word, another order or page. */
export const drawQuestion = (random: Random, { histograms }: Exploration): string => {
  const query = new URLSearchParams({ limit: String(perPage) });
  for (const { field, edges } of histograms) {
    if (random.uniform() < 0.4) continue;
    const from = random.below(Math.ceil(edges.length / 4));
    const to = edges.length - 1 - random.below(Math.ceil(edges.length / 4));
    query.set(`min_${facetParameter[field]}`, String(edges[from]));
    if (to > from) query.set(`max_${facetParameter[field]}`, String(edges[to]));
  }
  if (random.uniform() < 0.2) query.set('search', pick(random, words) ?? 'macd');
  query.set('sort_by', pick(random, sortFields) ?? 'total_pandl');
  query.set('page', String(1 + random.below(3)));
  return `${explorerRoutes.explore}?${query.toString()}`;
};
