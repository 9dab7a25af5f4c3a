import type { Client } from '@elastic/elasticsearch';
import { maxWindow } from '../../contract.ts';
import type {
  RequestOptions,
  SearchAnswer,
  SearchEngine,
  SearchHit,
  SearchQuery,
} from '../../search-port.ts';
import { hitOf } from './index/documents.ts';
import { searchFailure, ViewLost } from './failures.ts';
import {
  brushRequests,
  indicatorRequests,
  labelsRequest,
  readBrush,
  readIndicators,
  readLabels,
  rowRequest,
  similarRequest,
} from './requests/brush-requests.ts';
import { ask } from './requests/msearch.ts';
import {
  histogramOf,
  pageRequest,
  readExtents,
  readFacet,
  searchRequests,
  wantedFacets,
  wholeRequests,
  type FieldCounts,
  type WantedFacet,
} from './requests/search-requests.ts';
import type { CatalogueView, Views } from './snapshots.ts';

export type ElasticsearchOptions = Readonly<{
  client: Client;
  views: Views;
  /** Told of every failure of the server, before the answer fails. */
  onFailure?: (error: unknown) => void;
}>;

/** Rows of a list that are fetched at once. */
const pieceSize = 1_000;

const wholeOf = async (
  client: Client,
  { pit, whole }: CatalogueView,
  facets: readonly WantedFacet[],
): Promise<readonly FieldCounts[]> => {
  const keyOf = ({ field, scale }: WantedFacet): string => `${field} ${scale}`;
  const missing = facets.filter((facet) => !whole.has(keyOf(facet)));
  // Not given up with the question that asks first: others wait for the same answer.
  const answers = ask(client, pit, wholeRequests(missing));
  missing.forEach((facet, at) => {
    const counts = answers.then((all) => {
      const answer = all[at];
      if (!answer) throw new Error('A search of a request has no answer.');
      return readFacet(facet, answer);
    });
    counts.catch(() => whole.delete(keyOf(facet)));
    whole.set(keyOf(facet), counts);
  });
  await answers;
  return Promise.all(facets.map((facet) => whole.get(keyOf(facet)) ?? Promise.reject(new ViewLost('gone'))));
};

const searched = async (
  client: Client,
  view: CatalogueView,
  query: SearchQuery,
  options: RequestOptions,
): Promise<SearchAnswer> => {
  const facets = wantedFacets(query.histograms ?? {}, view.edges);
  const [[found, ...rest], whole] = await Promise.all([
    ask(client, view.pit, searchRequests(query, view.edges), options),
    wholeOf(client, view, facets),
  ]);
  const extents = rest[facets.length];
  const histograms = facets.flatMap((facet, at) => {
    const [answer, all] = [rest[at], whole[at]];
    return answer && all ? [histogramOf(facet, readFacet(facet, answer), all)] : [];
  });
  return {
    position: view.position,
    demo: view.standing.demo,
    total: found?.total ?? 0,
    hits: (found?.hits ?? []).map(hitOf),
    histograms,
    ranges: query.ranges && extents ? readExtents(extents) : null,
  };
};

const labelsOf = (client: Client, { pit, labels }: CatalogueView): Promise<readonly string[]> => {
  labels.value ??= ask(client, pit, [labelsRequest()]).then(([answer]) => (answer ? readLabels(answer) : []));
  labels.value.catch(() => delete labels.value);
  return labels.value;
};

const similarTo = async (
  client: Client,
  { pit, edges }: CatalogueView,
  urlId: string,
  limit: number,
  options: RequestOptions,
): Promise<readonly SearchHit[] | null> => {
  const [own] = (await ask(client, pit, [rowRequest(urlId)], options))[0]?.hits ?? [];
  if (!own) return null;
  const request = similarRequest(urlId, hitOf(own).figures, edges, limit);
  const [answer] = await ask(client, pit, [request], options);
  return (answer?.hits ?? []).map(hitOf);
};

/** The explorer's search on an Elasticsearch server: every answer comes from one open state of the index. */
export const createElasticsearchEngine = ({
  client,
  views,
  onFailure,
}: ElasticsearchOptions): SearchEngine => {
  const once = async <T>(work: (view: CatalogueView) => Promise<T>): Promise<T> => {
    const { view, release } = views.take();
    try {
      return await work(view);
    } catch (error) {
      if (error instanceof ViewLost) views.lose(view);
      throw error;
    } finally {
      release();
    }
  };

  /** A state that was lost is opened once more; what else goes wrong with the server is told in one way. */
  const answered = async <T>(
    work: (view: CatalogueView) => Promise<T>,
    { signal }: RequestOptions,
  ): Promise<T> => {
    try {
      return await once(work).catch(async (error: unknown) => {
        if (!(error instanceof ViewLost) || signal?.aborted) throw error;
        if (!views.current()) await views.open();
        return once(work);
      });
    } catch (error) {
      if (!signal?.aborted) onFailure?.(error);
      throw searchFailure(error);
    }
  };

  return {
    search: (query, options = {}) => answered((view) => searched(client, view, query, options), options),
    brush: (query, options = {}) =>
      answered(async (view) => {
        const answers = await ask(client, view.pit, brushRequests(query, view.edges), options);
        return { position: view.position, ...readBrush(query, view.edges, answers) };
      }, options),
    countIndicators: (filter, options = {}) =>
      answered(async (view) => {
        const labels = await labelsOf(client, view);
        const answers = await ask(client, view.pit, indicatorRequests(filter, labels), options);
        return { position: view.position, counts: readIndicators(labels, answers) };
      }, options),
    list: async function* (filter, order, limit, options = {}) {
      // A list that has begun must end in the same state: it is not begun anew.
      const { view, release } = await answered(() => Promise.resolve(views.take()), options);
      try {
        const last = Math.min(limit, maxWindow);
        for (let offset = 0; offset < last; offset += pieceSize) {
          const page = { ...order, offset, limit: Math.min(pieceSize, last - offset) };
          const [answer] = await ask(client, view.pit, [pageRequest(filter, page)], options);
          const hits = (answer?.hits ?? []).map(hitOf);
          if (hits.length > 0) yield hits;
          if (hits.length < page.limit) return;
        }
      } catch (error) {
        if (!options.signal?.aborted) onFailure?.(error);
        throw searchFailure(error);
      } finally {
        release();
      }
    },
    similar: (urlId, limit, options = {}) =>
      answered((view) => similarTo(client, view, urlId, limit, options), options),
  };
};
