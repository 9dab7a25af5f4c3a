import { create, insertMultiple, search, type AnyOrama } from '@orama/orama';
import { firstRows, sortFacet, type Figures, type Ranges, type Refreshed } from './figures.ts';
import type { Contender } from './subject.ts';

type Document = Record<string, number | string>;

/** Without unknown figures; bins are an `enum`, whose facets cost less than ranges of numbers. */
const documentOf = ({ ids, columns, bins }: Figures, row: number): Document => {
  const figures = columns.map((column, facet) => [`f${facet}`, column[row] ?? NaN] as const);
  return Object.fromEntries<number | string>([
    ['id', ids[row] ?? ''],
    ...figures.filter(([, value]) => !Number.isNaN(value)),
    ...bins.map((codes, facet) => [`b${facet}`, codes[row] ?? 0] as const),
  ]);
};

const load = async (figures: Figures): Promise<AnyOrama> => {
  const facets = [...figures.columns.keys()];
  const database: AnyOrama = create({
    schema: Object.fromEntries(
      facets.flatMap((facet) => [[`f${facet}`, 'number'] as const, [`b${facet}`, 'enum'] as const]),
    ),
    // The list is sorted by one facet only.
    sort: { unsortableProperties: facets.filter((facet) => facet !== sortFacet).map((facet) => `f${facet}`) },
  });
  // Orama reverses equal values in descending order: hence the last id is inserted first.
  const rows = [...figures.ids.keys()].sort((a, b) =>
    (figures.ids[a] ?? '') > (figures.ids[b] ?? '') ? -1 : 1,
  );
  await insertMultiple(
    database,
    rows.map((row) => documentOf(figures, row)),
    10_000,
  );
  return database;
};

/** Nine searches: the list, and one without its own range for each histogram. */
export const oramaContender = async (figures: Figures): Promise<Contender> => {
  const database = await load(figures);
  const where = (ranges: Ranges, own?: number) =>
    Object.fromEntries(
      ranges.flatMap(({ low, high }, facet) =>
        facet === own ? [] : [[`f${facet}`, { between: [low, high] as [number, number] }]],
      ),
    );
  const histogram = async (ranges: Ranges, own: number): Promise<readonly number[]> => {
    const answer = await search(database, {
      preflight: true,
      where: where(ranges, own),
      facets: { [`b${own}`]: {} },
    });
    const { values = {} } = answer.facets?.[`b${own}`] ?? {};
    return (figures.edges[own] ?? []).map((_, bin) => values[String(bin)] ?? 0);
  };
  const refresh = async (ranges: Ranges): Promise<Refreshed> => {
    const list = await search(database, {
      where: where(ranges),
      sortBy: { property: `f${sortFacet}`, order: 'DESC' },
      limit: firstRows,
    });
    const histograms = [];
    for (const own of figures.edges.keys()) histograms.push(await histogram(ranges, own));
    const first = list.hits.map(({ document }) => String((document as Document)['id']));
    return { total: list.count, first, histograms };
  };
  return {
    subjects: [{ name: 'Orama, a search per histogram', kind: 'stateless', refresh }],
    close: () => Promise.resolve(),
  };
};
