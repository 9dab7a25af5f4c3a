import { type FacetField, facetRecord } from '../../../contract.ts';
import type { ExplorerRow, RowUpdate, SearchHit } from '../../../search-port.ts';
import { foldSymbol, wordsOf } from '../../../catalogue/text.ts';
import { fromGrains, toGrains } from './scaled-integers.ts';
import { longestStart } from './mapping.ts';

const dayLength = 86_400_000;

/** Days since 1970-01-01 of `YYYY-MM-DD`. */
export const dayNumber = (date: string): number =>
  Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayLength);

/** Terms have at most 32,766 bytes; nobody looks for words or symbols of this length. */
const longestTerm = 8_000;
const capped = (term: string): string => (term.length > longestTerm ? term.slice(0, longestTerm) : term);

const startsOf = (word: string): readonly string[] => {
  const signs = Array.from(word.slice(0, longestStart * 2));
  return signs.slice(0, longestStart).map((_, at) => signs.slice(0, at + 1).join(''));
};

const present = (entries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null && value !== ''));

/** A hit as it stands in the index: figures as whole numbers, since JSON has no infinity. */
export type StoredHit = Omit<SearchHit, 'figures'> &
  Readonly<{ figures: Readonly<Record<FacetField, number | null>> }>;

export type RowDocument = Readonly<{ kind: 'row'; shown: StoredHit }> & Readonly<Record<string, unknown>>;
export type GoneDocument = Readonly<{ kind: 'gone'; urlId: string; version: number }>;

const inGrains = (row: ExplorerRow): Readonly<Record<FacetField, number | null>> =>
  facetRecord((field) => {
    const value = row.figures[field];
    return value === null ? null : toGrains(field, value);
  });

const shownOf = (row: ExplorerRow, figures: StoredHit['figures']): StoredHit => {
  const { version: _version, description: _description, spellings: _spellings, ...shown } = row;
  return { ...shown, figures };
};

const measured = ['totalPandlPercent', 'maxDrawdownPercent', 'profitFactor', 'sharpeRatio'] as const;

export const rowDocument = (row: ExplorerRow): RowDocument => {
  const texts = [row.title, row.author, row.description, ...row.categories, ...row.spellings];
  const words = [...new Set(wordsOf(texts.join(' \n ')).map(capped))];
  const figures = inGrains(row);
  const days = [row.publicationDate, row.backtestingStart, row.backtestingEnd];
  const [publishedDay, backtestingStartDay, backtestingEndDay] = days.map((day) => day && dayNumber(day));
  return {
    kind: 'row',
    shown: shownOf(row, figures),
    version: row.version,
    urlId: row.urlId,
    words,
    starts: [...new Set(words.flatMap(startsOf))],
    labels: row.categories,
    performance: measured.some((field) => figures[field] !== null),
    enhanced: row.enhanced,
    demo: row.demo,
    ...present({
      foldedSymbol: row.symbol === null ? null : capped(foldSymbol(row.symbol)),
      pineVersion: row.pineVersion === null ? null : String(row.pineVersion),
      publishedDay,
      backtestingStartDay,
      backtestingEndDay,
      ...figures,
      totalTrades: row.totalTrades === null ? null : row.totalTrades + 0,
    }),
  };
};

/** A withdrawn strategy leaves a document behind, so that an older change which comes later finds a newer version. */
export const goneDocument = (urlId: string, version: number): GoneDocument => ({
  kind: 'gone',
  urlId,
  version,
});

export const hitOf = ({ figures, ...shown }: StoredHit): SearchHit => ({
  ...shown,
  figures: facetRecord((field) => {
    const grains = figures[field];
    return grains === null ? null : fromGrains(field, grains);
  }),
});

export type Write = Readonly<{ id: string; version: number; document: RowDocument | GoneDocument }>;

/** The newest change of each strategy: all others would be refused as older. */
export const writesOf = (updates: readonly RowUpdate[]): readonly Write[] => {
  const newest = new Map<string, Write>();
  for (const update of updates) {
    const [id, version] =
      update.op === 'put' ? [update.row.urlId, update.row.version] : [update.urlId, update.version];
    if ((newest.get(id)?.version ?? -1) > version) continue;
    const document = update.op === 'put' ? rowDocument(update.row) : goneDocument(id, version);
    newest.set(id, { id, version, document });
  }
  return [...newest.values()];
};
