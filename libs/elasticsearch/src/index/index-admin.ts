import type { Client } from '@elastic/elasticsearch';
import { rowVersion } from '@tapedeck/search-engine/contract';
import { indexDefinition } from './mapping.ts';

const options = { requestTimeout: 30_000 };
const checkTimeoutMs = 5_000;

/** The alias that searches use. It contains the version of the rows: programs with different rows use different indexes. */
export const aliasOf = (prefix: string): string => `${prefix}-v${rowVersion}`;

/** Writes go through this alias: when the index was deleted they fail, instead of creating one with guessed mappings. */
export const writeAlias = (index: string): string => `${index}-writes`;

export const createIndex = async (client: Client, index: string): Promise<void> => {
  const aliases = { [writeAlias(index)]: { is_write_index: true } };
  await client.indices.create({ index, ...indexDefinition(), aliases }, options);
};

/** Makes everything written so far visible; there is no automatic refresh. */
export const refreshIndex = async (client: Client, index: string): Promise<void> => {
  await client.indices.refresh({ index }, options);
};

/** Indexes that the alias points to; none when the alias does not exist. */
export const indexesBehind = async (client: Client, alias: string): Promise<readonly string[]> =>
  Object.keys(await client.indices.getAlias({ name: alias }, { ...options, ignore: [404] })).filter(
    (name) => name !== 'error' && name !== 'status',
  );

/** `uuid` is given by the server: another index of the same name has another one. */
export type FoundIndex = Readonly<{ uuid: string; aliases: readonly string[] }>;

/** The indexes that have one of these names or aliases, by name; those that do not exist are left out. */
export const findIndexes = async (
  client: Client,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundIndex>> => {
  const found = await client.indices.get(
    {
      index: [...names],
      features: ['aliases', 'settings'],
      ignore_unavailable: true,
      filter_path: ['*.aliases', '*.settings.index.uuid'],
    },
    { requestTimeout: checkTimeoutMs },
  );
  return new Map(
    Object.entries(found).map(([name, { aliases = {}, settings }]) => [
      name,
      { uuid: settings?.index?.uuid ?? '', aliases: Object.keys(aliases) },
    ]),
  );
};

/** All indexes called `{name}-{number}`, oldest first. */
export const numberedIndexes = async (client: Client, name: string): Promise<readonly string[]> => {
  const found = Object.keys(await client.indices.get({ index: `${name}-*`, features: ['aliases'] }, options));
  const suffixOf = (index: string): string => index.slice(name.length + 1);
  return found
    .filter((index) => /^\d+$/.test(suffixOf(index)))
    .sort((a, b) => Number(suffixOf(a)) - Number(suffixOf(b)));
};

/** Points the alias to this index only, in one atomic step. */
export const pointAlias = async (client: Client, alias: string, index: string): Promise<void> => {
  const before = await indexesBehind(client, alias);
  await client.indices.updateAliases(
    {
      actions: [
        ...before.filter((one) => one !== index).map((one) => ({ remove: { index: one, alias } })),
        { add: { index, alias } },
      ],
    },
    options,
  );
};

export const deleteIndexes = async (client: Client, indexes: readonly string[]): Promise<void> => {
  if (indexes.length > 0) {
    await client.indices.delete({ index: [...indexes], ignore_unavailable: true }, options);
  }
};
