import type { Client } from '@elastic/elasticsearch';
import { indexDefinition } from './mapping.ts';

/** Milliseconds for making, pointing at and deleting indexes. */
const adminTimeout = 30_000;
const options = { requestTimeout: adminTimeout };

/** The name under which one index is written: with it gone, a write fails instead of making an index of guesses. */
export const writeAlias = (index: string): string => `${index}-writes`;

export const createIndex = async (client: Client, index: string): Promise<void> => {
  const aliases = { [writeAlias(index)]: { is_write_index: true } };
  await client.indices.create({ index, ...indexDefinition(), aliases }, options);
};

/** Makes what has been written visible: nothing else does. */
export const refreshIndex = async (client: Client, index: string): Promise<void> => {
  await client.indices.refresh({ index }, options);
};

/** Indexes that the alias points at; none when there is no alias. */
export const indexesBehind = async (client: Client, alias: string): Promise<readonly string[]> =>
  Object.keys(await client.indices.getAlias({ name: alias }, { ...options, ignore: [404] })).filter(
    (name) => name !== 'error' && name !== 'status',
  );

/** All indexes of this name with a number behind it, oldest first. */
export const numberedIndexes = async (client: Client, name: string): Promise<readonly string[]> => {
  const found = Object.keys(await client.indices.get({ index: `${name}-*`, features: ['aliases'] }, options));
  const numberOf = (index: string): number => Number(index.slice(name.length + 1));
  return found
    .filter((index) => /^\d+$/.test(index.slice(name.length + 1)))
    .sort((a, b) => numberOf(a) - numberOf(b));
};

/** Points the alias at this index and at nothing else, in one step. */
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
