import {
  facetFields,
  type FacetField,
  type FieldRange,
  type Histogram,
  type SortField,
} from '../contract.ts';
import type { ExplorerRow, NumberRange, SearchFilter, SearchHit, SearchQuery } from '../search-port.ts';

// Row by row and from the decisions' words alone: nothing here comes from an engine, and no engine
// uses anything of it. Slow on purpose.

export type OracleEdges = Readonly<Record<FacetField, Readonly<Record<string, readonly number[]>>>>;

export type OracleAnswer = Readonly<{
  total: number;
  hits: readonly SearchHit[];
  histograms: readonly Histogram[];
  ranges: Readonly<Record<FacetField, FieldRange>> | null;
}>;

const withoutAccents = (text: string): string => {
  let plain = '';
  for (const sign of text.normalize('NFKD')) {
    if (/\p{M}/u.test(sign)) continue;
    // Sign by sign, so that a sigma is never a final one; what lower case adds as marks goes as well.
    const lower = sign.toLowerCase();
    for (const part of lower) if (!/\p{M}/u.test(part)) plain += part === 'ς' ? 'σ' : part;
  }
  return plain.split('ß').join('ss');
};

const isAlone = (sign: string): boolean =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(sign);

const cutWords = (text: string): readonly string[] => {
  const words: string[] = [];
  let word = '';
  const close = (): void => {
    if (word !== '') words.push(word);
    word = '';
  };
  for (const sign of withoutAccents(text)) {
    if (isAlone(sign)) {
      close();
      words.push(sign);
    } else if (/[\p{L}\p{N}]/u.test(sign)) word += sign;
    else close();
  }
  close();
  return words;
};

const plainSymbol = (symbol: string): string => {
  const [head = '', ...rest] = withoutAccents(symbol).split(':');
  const market = rest.length > 0 ? rest.join(':') : head;
  return Array.from(market, (sign) => ('_:/-'.includes(sign) || /\s/.test(sign) ? '' : sign)).join('');
};

type Prepared = Readonly<{ row: ExplorerRow; words: ReadonlySet<string>; symbol: string }>;

const prepare = (row: ExplorerRow): Prepared => ({
  row,
  words: new Set(
    cutWords([row.title, row.author, row.description, ...row.categories, ...row.spellings].join(' \n ')),
  ),
  symbol: row.symbol === null ? '' : plainSymbol(row.symbol),
});

const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

const inRange = (value: number | null, { low, high }: NumberRange): boolean =>
  value !== null && value >= low && value <= high;

const insideDays = (date: string | null, from: string | null, to: string | null): boolean => {
  if (from === null && to === null) return true;
  if (date === null) return false;
  return (from === null || date >= from) && (to === null || date <= to);
};

const passesRest = (
  { row, words, symbol }: Prepared,
  filter: SearchFilter,
  sought: readonly string[],
): boolean => {
  const wantedSymbol = plainSymbol(filter.symbol);
  const figures = [
    row.figures.totalPandlPercent,
    row.figures.maxDrawdownPercent,
    row.figures.profitFactor,
    row.figures.sharpeRatio,
  ];
  if (!sought.every((word) => [...words].some((own) => own.indexOf(word) === 0))) return false;
  if (wantedSymbol !== '' && !(symbol !== '' && symbol.indexOf(wantedSymbol) === 0)) return false;
  if (filter.pineVersion !== null && row.pineVersion !== filter.pineVersion) return false;
  if (filter.hasPerformance && figures.every((figure) => figure === null)) return false;
  if (filter.hasEnhanced && !row.enhanced) return false;
  if (!insideDays(row.publicationDate, filter.published.from, filter.published.to)) return false;
  if (!insideDays(row.backtestingStart, filter.backtested.from, null)) return false;
  return insideDays(row.backtestingEnd, null, filter.backtested.to);
};

const sortValue: Readonly<Record<SortField, (row: ExplorerRow) => number | null>> = {
  total_pandl: ({ figures }) => figures.totalPandlPercent,
  max_equity_drawdown: ({ figures }) => figures.maxDrawdownPercent,
  profit_factor: ({ figures }) => figures.profitFactor,
  sharpe_ratio_all: ({ figures }) => figures.sharpeRatio,
  total_trades: ({ totalTrades }) => totalTrades,
  publication_date: ({ publicationDate }) => (publicationDate === null ? null : Date.parse(publicationDate)),
  likes: ({ figures }) => figures.likes,
  views: ({ figures }) => figures.views,
};

const inBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const sorted = (
  rows: readonly ExplorerRow[],
  sort: SortField,
  order: 'asc' | 'desc',
): readonly ExplorerRow[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [sortValue[sort](a), sortValue[sort](b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || inBytes(a.urlId, b.urlId);
    if (x === y) return inBytes(a.urlId, b.urlId);
    return (x < y ? -1 : 1) * (order === 'asc' ? 1 : -1);
  });

const binOf = (edges: readonly number[], value: number): number => {
  let bin = edges.length - 2;
  while (bin > 0 && value < (edges[bin] ?? 0)) bin--;
  return bin;
};

const bars = (
  rows: readonly ExplorerRow[],
  field: FacetField,
  edges: readonly number[],
): readonly number[] => {
  const counts = edges.slice(1).map(() => 0);
  for (const row of rows) {
    const value = row.figures[field];
    if (value === null) continue;
    const bin = binOf(edges, value);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
};

const extent = (rows: readonly ExplorerRow[], field: FacetField): FieldRange => {
  let [min, max]: [number | null, number | null] = [null, null];
  for (const row of rows) {
    const value = row.figures[field];
    if (value === null || value === Infinity) continue;
    if (min === null || value < min) min = value;
    if (max === null || value > max) max = value;
  }
  // Minus zero is zero.
  return { min: min === 0 ? 0 : min, max: max === 0 ? 0 : max };
};

const unknownIn = (rows: readonly ExplorerRow[], field: FacetField): number =>
  rows.filter((row) => row.figures[field] === null).length;

const hitOf = ({ version: _v, description: _d, spellings: _o, ...hit }: ExplorerRow): SearchHit => ({
  ...hit,
  figures: Object.fromEntries(
    facetFields.map((field) => [field, hit.figures[field] === 0 ? 0 : hit.figures[field]]),
  ) as SearchHit['figures'],
});

export type Oracle = Readonly<{ answer: (query: SearchQuery) => OracleAnswer }>;

/** The truth about a catalogue: rows with different ids, and the edges that the engine was given. */
export const oracleOf = (rows: readonly ExplorerRow[], edges: OracleEdges): Oracle => {
  const prepared = rows.map(prepare);
  const whole = new Map<string, Pick<Histogram, 'all' | 'unknownAll' | 'min' | 'max'>>();
  const wholeOf = (
    field: FacetField,
    own: readonly number[],
  ): Pick<Histogram, 'all' | 'unknownAll' | 'min' | 'max'> => {
    const key = `${field} ${own.join()}`;
    const facts = whole.get(key) ?? {
      all: [...bars(rows, field, own)],
      unknownAll: unknownIn(rows, field),
      ...extent(rows, field),
    };
    whole.set(key, facts);
    return facts;
  };
  const answer = ({ filter, page, histograms = {}, ranges = false }: SearchQuery): OracleAnswer => {
    const sought = cutWords(filter.search);
    const rest = prepared.filter((one) => passesRest(one, filter, sought)).map(({ row }) => row);
    const active = facetFields.filter((field) => isActive(filter.ranges[field]));
    const without = (own: FacetField | null): readonly ExplorerRow[] => {
      const others = active.filter((field) => field !== own);
      return rest.filter((row) => others.every((field) => inRange(row.figures[field], filter.ranges[field])));
    };
    const found = without(null);
    const ordered = page
      ? sorted(found, page.sort, page.order).slice(page.offset, page.offset + page.limit)
      : [];
    return {
      total: found.length,
      hits: ordered.map(hitOf),
      histograms: facetFields.flatMap((field): Histogram[] => {
        const scale = histograms[field];
        if (!scale) return [];
        const own = edges[field][scale] ?? [];
        const others = without(field);
        const filtered = extent(others, field);
        return [
          {
            field,
            scale,
            edges: [...own],
            counts: [...bars(others, field, own)],
            unknown: unknownIn(others, field),
            ...wholeOf(field, own),
            filteredMin: filtered.min,
            filteredMax: filtered.max,
          },
        ];
      }),
      ranges: ranges
        ? (Object.fromEntries(
            facetFields.map((field) => [field, extent(rest, field)]),
          ) as OracleAnswer['ranges'])
        : null,
    };
  };
  return { answer };
};
