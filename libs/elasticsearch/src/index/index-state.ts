import type { Client, estypes, TransportRequestOptions } from '@elastic/elasticsearch';

/** What an index contains: one document beside the rows, written after them. */
export type IndexState = Readonly<{
  /** Identity of the catalogue in the database; an index that was filled from another one is not used. */
  catalogue: string;
  /** Tape position of the newest change. */
  position: string;
  /** The tape has been read up to here. */
  reached: string;
  /** Number of the read model's `parkingChanges` that the rows correspond to; absent in older indexes. */
  parking?: string;
  /** True while rows of the demo catalogue are in. */
  demo: boolean;
  /** Version of the bin edges; 0 before any were computed. */
  edges: number;
}>;

/** Id of that document; no strategy has it. */
export const indexStateId = '#catalogue';

export const indexStateDocument = (state: IndexState): object => ({ kind: 'catalogue', shown: state });

/** Undefined when the index, or the point in time, does not contain the document. */
export const readIndexState = async (
  client: Client,
  source: Pick<estypes.SearchRequest, 'index' | 'pit'>,
  options: TransportRequestOptions = {},
): Promise<IndexState | undefined> => {
  const { hits } = await client.search<{ shown: IndexState }>(
    { ...source, query: { term: { kind: 'catalogue' } }, size: 1, _source: ['shown'] },
    options,
  );
  return hits.hits[0]?._source?.shown;
};
