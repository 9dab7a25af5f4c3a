import { rebuildSearchIndex } from '@tapedeck/composition/search';
import { until } from './until.ts';
import type { ProductData } from './verify-read-models.ts';

/** A document as the server has it: its stored part, and the values of every field that the index keeps by document. */
export type IndexDocument = Readonly<{
  id: string;
  version: number;
  source: Readonly<Record<string, unknown>>;
  fields: Readonly<Record<string, unknown>>;
}>;

/** Everything in an index. The check uses nothing of the product. */
export type IndexContent = Readonly<{
  index: string;
  documents: readonly IndexDocument[];
  /** By field that can only be searched and by term: the ids of the documents that have the term, sorted. */
  terms: ReadonlyMap<string, readonly string[]>;
}>;

export type IndexReport = Readonly<{
  documents: number;
  /** Terms that at least one document has. */
  terms: number;
  problems: readonly string[];
}>;

const stateId = '#catalogue';
const maxDocuments = 10_000;
const searchesPerRequest = 500;
/** Of a short text as a whole, such as a symbol. */
const maxTermLength = 40;
const prefixLengths = [1, 2, 3] as const;

const request = async <T>(url: string, path: string, body?: string): Promise<T> => {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': path.startsWith('/_msearch') ? 'application/x-ndjson' : 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Elasticsearch answers ${path} with ${response.status}: ${text}`);
  return JSON.parse(text) as T;
};

export const productPrefix = 'tapedeck-explorer';

/** The index behind the alias of this prefix; undefined when there is none. */
const indexOf = async (url: string, prefix: string): Promise<string | undefined> => {
  const alias = new RegExp(`^${prefix}-v\\d+$`);
  const all = await request<Record<string, Readonly<{ aliases: object }>>>(url, '/_alias');
  return Object.entries(all).find(([, { aliases }]) =>
    Object.keys(aliases).some((name) => alias.test(name)),
  )?.[0];
};

/** Waits until the product has built its index, and returns its name. */
export const waitForIndex = async (url: string): Promise<string> => {
  let index: string | undefined;
  await until('the product has built its index', async () => {
    index = await indexOf(url, productPrefix);
    return index !== undefined;
  });
  return index ?? '';
};

type Property = Readonly<{ type?: string; doc_values?: boolean }>;
type Mapping = Readonly<Record<string, Readonly<{ mappings: { properties: Record<string, Property> } }>>>;
type Hit = Readonly<{
  _id: string;
  _version: number;
  _source: IndexDocument['source'];
  fields?: IndexDocument['fields'];
}>;
type Answer = Readonly<{ status?: number; hits?: { hits?: readonly Hit[] } }>;

const readDocuments = async (
  url: string,
  index: string,
  fields: readonly string[],
): Promise<readonly IndexDocument[]> => {
  const body = { size: maxDocuments, version: true, docvalue_fields: fields, query: { match_all: {} } };
  const { hits } = await request<Answer>(url, `/${index}/_search`, JSON.stringify(body));
  return (hits?.hits ?? []).map((hit) => ({
    id: hit._id,
    version: hit._version,
    source: hit._source,
    fields: hit.fields ?? {},
  }));
};

/** Searches for every term in every field. Terms that no document has are left out. */
const readTerms = async (
  url: string,
  index: string,
  fields: readonly string[],
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const searches = fields.flatMap((field) => words.map((word) => ({ field, word })));
  const found = new Map<string, readonly string[]>();
  for (let from = 0; from < searches.length; from += searchesPerRequest) {
    const batch = searches.slice(from, from + searchesPerRequest);
    const lines = batch.flatMap(({ field, word }) => [
      JSON.stringify({ index }),
      JSON.stringify({ size: maxDocuments, _source: false, query: { term: { [field]: word } } }),
    ]);
    const { responses } = await request<Readonly<{ responses: readonly Answer[] }>>(
      url,
      '/_msearch?filter_path=responses.hits.hits._id,responses.status',
      `${lines.join('\n')}\n`,
    );
    batch.forEach(({ field, word }, at) => {
      const answer = responses[at];
      if (answer?.status !== 200) throw new Error(`Elasticsearch cannot search ${field} for "${word}".`);
      const ids = (answer.hits?.hits ?? []).map(({ _id }) => _id).sort();
      if (ids.length > 0) found.set(`${field} "${word}"`, ids);
    });
  }
  return found;
};

const readIndex = async (url: string, prefix: string, words: readonly string[]): Promise<IndexContent> => {
  const index = await indexOf(url, prefix);
  if (index === undefined) throw new Error(`There is no index of ${prefix}.`);
  const mapping = await request<Mapping>(url, `/${index}/_mapping`);
  const properties = Object.entries(mapping[index]?.mappings.properties ?? {});
  const named = (keep: (property: Property) => boolean): readonly string[] =>
    properties.filter(([, property]) => keep(property)).map(([name]) => name);
  return {
    index,
    documents: await readDocuments(
      url,
      index,
      named(({ type, doc_values }) => type !== 'object' && doc_values !== false),
    ),
    terms: await readTerms(
      url,
      index,
      named(({ doc_values }) => doc_values === false),
      words,
    ),
  };
};

/** The words of all texts in it, their beginnings, and short texts as a whole. */
export const wordsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') {
    const words = value.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    const whole = value.toLowerCase().replace(/^.*:|[^\p{L}\p{N}]+/gu, '');
    return [
      ...words,
      whole.slice(0, maxTermLength),
      ...words.flatMap((word) => prefixLengths.map((length) => word.slice(0, length))),
    ];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
};

/** How far the tape was read after the newest change may differ between equal indexes, and is the version of the state. */
const comparable = ({ id, version, source, fields }: IndexDocument): string => {
  const values = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  if (id !== stateId) return JSON.stringify({ version, source, values });
  const { reached: _reached, ...state } = source['shown'] as Readonly<Record<string, unknown>>;
  return JSON.stringify({ state, values });
};

const differences = (
  kept: ReadonlyMap<string, string>,
  fresh: ReadonlyMap<string, string>,
): readonly string[] =>
  [...new Set([...kept.keys(), ...fresh.keys()])].flatMap((key) => {
    const [inKept, inFresh] = [kept.get(key), fresh.get(key)];
    if (inKept === inFresh) return [];
    return [`the index has ${inKept ?? 'nothing'} for ${key}, but a fresh one has ${inFresh ?? 'nothing'}`];
  });

/** How an index that was written all the time differs from one that was built at the end. */
export const indexProblems = (kept: IndexContent, fresh: IndexContent): readonly string[] => {
  const documentsOf = ({ documents }: IndexContent): ReadonlyMap<string, string> =>
    new Map(documents.map((document) => [document.id, comparable(document)]));
  const termsOf = ({ terms }: IndexContent): ReadonlyMap<string, string> =>
    new Map([...terms].map(([term, ids]) => [term, ids.join(' ')]));
  return [
    ...(fresh.documents.length < 2 ? ['a fresh index is empty'] : []),
    ...(fresh.terms.size === 0 ? ['a fresh index has no terms'] : []),
    ...differences(documentsOf(kept), documentsOf(fresh)),
    ...differences(termsOf(kept), termsOf(fresh)),
  ];
};

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const rebuildTimeoutMs = 120_000;

/** The last two states of every strategy: words of the older one must no longer be found. */
const wordsOfTape = async ({ databases }: ProductData): Promise<readonly string[]> => {
  const rows = await databases['tapedeck']?.query<{ data: unknown }>(
    `select data from (
       select data, row_number() over (partition by stream order by version desc) as age
       from tape_events where stream like 'strategy-%'
     ) as states where age <= 2`,
  );
  return [...new Set(wordsIn(rows?.rows))].filter((word) => word !== '');
};

/**
 * Builds a second index of the read model, and compares everything in the index of the product with it. The projectors
 * must be at the end of the tape. Unless it was deleted, nothing is a reason to replace the index that was `first`.
 */
export const verifyIndex = async (
  url: string,
  data: ProductData,
  first: string | undefined,
): Promise<IndexReport> => {
  const { catalogue } = data.databases;
  if (!catalogue) throw new Error('The database of the read model is not open.');
  await rebuildSearchIndex(
    { ELASTICSEARCH_URL: url, ELASTICSEARCH_INDEX: 'fresh' },
    { store: data.store, catalogue, logger },
    AbortSignal.timeout(rebuildTimeoutMs),
  );
  const words = await wordsOfTape(data);
  const [kept, fresh] = [await readIndex(url, productPrefix, words), await readIndex(url, 'fresh', words)];
  const replaced =
    first === undefined || kept.index === first ? [] : [`the index ${first} was replaced by ${kept.index}`];
  return {
    documents: kept.documents.length,
    terms: kept.terms.size,
    problems: [...replaced, ...indexProblems(kept, fresh)],
  };
};
