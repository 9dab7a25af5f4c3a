import { foldSymbol, wordsOf } from '@tapedeck/search-engine/catalogue';
import { facetFields, facetRecord, facets, type FacetField } from '@tapedeck/search-engine/contract';
import type { ExplorerRow, RowUpdate, SearchHit } from '@tapedeck/search-engine/port';
import { maxPrefixLength } from './mapping.ts';
import { fromScaled, toScaled } from './scaled-integers.ts';

const dayMs = 86_400_000;

/** Days since 1970-01-01 of `YYYY-MM-DD`. */
export const dayNumber = (date: string): number =>
  Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs);

/** Elasticsearch allows 32,766 bytes per term; no search needs longer words or symbols than this. */
const maxTermLength = 8_000;
const truncated = (term: string): string =>
  term.length > maxTermLength ? term.slice(0, maxTermLength) : term;

const prefixesOf = (word: string): readonly string[] => {
  const characters = Array.from(word.slice(0, maxPrefixLength * 2));
  return characters.slice(0, maxPrefixLength).map((_, at) => characters.slice(0, at + 1).join(''));
};

const withoutEmpty = (entries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null && value !== ''));

/** A hit as the index stores it: with scaled figures, since JSON has no infinity. */
export type StoredHit = Omit<SearchHit, 'figures'> &
  Readonly<{ figures: Readonly<Record<FacetField, number | null>> }>;

export type RowDocument = Readonly<{ kind: 'row'; shown: StoredHit }> & Readonly<Record<string, unknown>>;
export type RemovedDocument = Readonly<{ kind: 'gone'; urlId: string; version: number }>;

const scaledFiguresOf = (row: ExplorerRow): Readonly<Record<FacetField, number | null>> =>
  facetRecord((field) => {
    const figure = row.figures[field];
    return figure === null ? null : toScaled(field, figure);
  });

const storedHitOf = (row: ExplorerRow, figures: StoredHit['figures']): StoredHit => {
  const { version: _version, description: _description, spellings: _spellings, ...hit } = row;
  return { ...hit, figures };
};

const performanceFields = facetFields.filter((field) => facets[field].group === 'performance');

export const rowDocument = (row: ExplorerRow): RowDocument => {
  const texts = [row.title, row.author, row.description, ...row.categories, ...row.spellings];
  const words = [...new Set(wordsOf(texts.join(' \n ')).map(truncated))];
  const figures = scaledFiguresOf(row);
  const days = [row.publicationDate, row.backtestingStart, row.backtestingEnd];
  const [publishedDay, backtestingStartDay, backtestingEndDay] = days.map((day) => day && dayNumber(day));
  return {
    kind: 'row',
    shown: storedHitOf(row, figures),
    version: row.version,
    urlId: row.urlId,
    words,
    starts: [...new Set(words.flatMap(prefixesOf))],
    labels: row.categories,
    performance: performanceFields.some((field) => figures[field] !== null),
    enhanced: row.enhanced,
    demo: row.demo,
    ...withoutEmpty({
      foldedSymbol: row.symbol === null ? null : truncated(foldSymbol(row.symbol)),
      pineVersion: row.pineVersion === null ? null : String(row.pineVersion),
      publishedDay,
      backtestingStartDay,
      backtestingEndDay,
      ...figures,
    }),
  };
};

/** Replaces the row of a withdrawn strategy, so that an older change which arrives later is recognised as older. */
export const removedDocument = (urlId: string, version: number): RemovedDocument => ({
  kind: 'gone',
  urlId,
  version,
});

export const hitOf = ({ figures, ...hit }: StoredHit): SearchHit => ({
  ...hit,
  figures: facetRecord((field) => {
    const scaled = figures[field];
    return scaled === null ? null : fromScaled(field, scaled);
  }),
});

export type DocumentWrite = Readonly<{
  id: string;
  version: number;
  document: RowDocument | RemovedDocument;
}>;

/** Only the newest change of each strategy: the server would refuse all others as older. */
export const documentWrites = (updates: readonly RowUpdate[]): readonly DocumentWrite[] => {
  const newest = new Map<string, DocumentWrite>();
  for (const update of updates) {
    const [id, version] =
      update.op === 'put' ? [update.row.urlId, update.row.version] : [update.urlId, update.version];
    if ((newest.get(id)?.version ?? -1) > version) continue;
    const document = update.op === 'put' ? rowDocument(update.row) : removedDocument(id, version);
    newest.set(id, { id, version, document });
  }
  return [...newest.values()];
};
