import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { format } from 'oxfmt';
import { computeEdges } from '@tapedeck/search-engine/catalogue';
import { defaultScale, facetRecord } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type ExplorerRow } from '@tapedeck/search-engine/port';
import { removedDocument, rowDocument } from '../index/documents.ts';
import { indexDefinition } from '../index/mapping.ts';
import { brushRequests } from './brush-requests.ts';
import { queryWithoutRanges } from './clauses.ts';
import { indicatorRequests, labelsRequest } from './indicator-requests.ts';
import { minMaxRequest, pageRequest, searchRequests } from './search-requests.ts';
import { rowRequest, similarRequest } from './similar-requests.ts';

/** The edges of a catalogue without values, which depend on nothing but the code. */
const edges = computeEdges(facetRecord(() => new Float64Array(0)));

const filter = toSearchFilter({
  search: 'MACD Média 均线',
  symbol: 'BINANCE:btc',
  pine_version: 'v5',
  publication_date_start: '2024-01-01',
  backtesting_date_start: '2020-01-01',
  backtesting_date_end: '2023-12-31',
  has_performance: true,
  has_enhanced: true,
  min_sharpe_ratio: 0.8,
  max_max_drawdown_percent: 33.3333,
  min_likes: 3,
});

const figures = {
  ...facetRecord(() => null),
  totalPandlPercent: 38.461,
  profitFactor: Infinity,
  likes: 12,
  totalTrades: 41,
};

const row: ExplorerRow = {
  urlId: 'AbCd1234',
  version: 7,
  title: 'SuperTrend 均线',
  author: 'Zoë',
  description: 'Buys the 3EMA cross',
  categories: ['MACD'],
  spellings: ['macd-v'],
  symbol: 'BINANCE:BTC_USDT',
  pineVersion: 5,
  publicationDate: '2024-02-29',
  backtestingStart: null,
  backtestingEnd: null,
  figures,
  enhanced: true,
  demo: false,
};

const page = { sort: 'sharpe_ratio_all', order: 'desc', offset: 24, limit: 12 } as const;
const searchQuery = {
  filter,
  page,
  histograms: { sharpeRatio: 'linear', likes: 'quantile' },
} as const;

/** One of each kind, committed as JSON: a review reads the requests, not only the code that builds them. */
const kinds: Readonly<Record<string, unknown>> = {
  index: indexDefinition(),
  documents: [rowDocument(row), removedDocument('AbCd1234', 8)],
  search: searchRequests(searchQuery, edges),
  list: pageRequest(filter, { ...page, offset: 0, limit: 1_000 }),
  ranges: minMaxRequest(queryWithoutRanges(filter)),
  brush: brushRequests({ filter, active: 'comments', scales: defaultScale }, edges).slice(0, 2),
  indicators: [labelsRequest(), ...indicatorRequests(filter, ['MACD', 'Moving Average', '🚀'])],
  similar: [
    rowRequest('AbCd1234'),
    similarRequest('AbCd1234', { ...figures, likes: null, totalTrades: null }, edges, 6),
  ],
};

describe('requests to Elasticsearch', () => {
  it.each(Object.keys(kinds))('equal the committed file %s.json', async (kind) => {
    const file = new URL(`generated/${kind}.json`, import.meta.url);
    const { code: text } = await format('golden.json', JSON.stringify(kinds[kind]), { printWidth: 110 });
    // `WRITE_REQUESTS=yes npm run jest -- requests.spec` rewrites the files.
    if (process.env['WRITE_REQUESTS'] === 'yes') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});
