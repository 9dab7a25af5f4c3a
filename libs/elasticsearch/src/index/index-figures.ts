import type { Client } from '@elastic/elasticsearch';
import type pg from 'pg';
import type { IndexFigures } from '@tapedeck/search-engine/port';
import { readIndexStatus } from './index-status.ts';

const options = { requestTimeout: 2_000 } as const;

/** All documents but the one with the state of the index. */
const rows = { bool: { must_not: { term: { kind: 'catalogue' } } } };

/** The size needs the privilege `monitor`, which a cluster of somebody else may not give. */
const bytesOf = async (client: Client, alias: string): Promise<number | null> => {
  const stats = await client.indices.stats({ index: alias, metric: 'store' }, options).catch(() => undefined);
  return stats?._all.primaries?.store?.size_in_bytes ?? null;
};

/** The index behind the alias, without waiting long for a server that does not answer. */
export const indexFigures = async (
  client: Client,
  catalogue: pg.Pool,
  alias: string,
  isUnavailable: boolean,
): Promise<IndexFigures> => {
  const status = await readIndexStatus(catalogue, alias);
  const position = status ? String(status.reached) : null;
  const unknown = { alias, name: null, documents: null, bytes: null, position, isAvailable: false };
  if (isUnavailable) return unknown;
  try {
    const [found, { count }, bytes] = await Promise.all([
      client.indices.getAlias({ name: alias }, options),
      client.count({ index: alias, query: rows }, options),
      bytesOf(client, alias),
    ]);
    const [name = null] = Object.keys(found);
    return { ...unknown, name, documents: count, bytes, isAvailable: true };
  } catch {
    return unknown;
  }
};
