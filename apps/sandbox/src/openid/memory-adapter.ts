import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

type Entry = { payload: AdapterPayload; readonly expiresAt: number };

/** Expired entries are deleted when there are more entries than this. */
const pruneAbove = 1_000;

const prune = (entries: Map<string, Entry>): void => {
  const now = Date.now();
  for (const [id, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(id);
};

const adapterOver = (entries: Map<string, Entry>): Adapter => {
  const find = async (id: string): Promise<AdapterPayload | undefined> => {
    const entry = entries.get(id);
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined;
  };
  const findBy = async (
    matches: (payload: AdapterPayload) => boolean,
  ): Promise<AdapterPayload | undefined> => {
    for (const [id, { payload }] of entries) if (matches(payload)) return find(id);
    return undefined;
  };
  return {
    upsert: async (id, payload, expiresIn) => {
      if (entries.size > pruneAbove) prune(entries);
      const expiresAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1_000;
      entries.set(id, { payload, expiresAt });
    },
    find,
    findByUid: (uid) => findBy((payload) => payload.uid === uid),
    findByUserCode: (userCode) => findBy((payload) => payload.userCode === userCode),
    consume: async (id) => {
      const entry = entries.get(id);
      if (entry) entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1_000) };
    },
    destroy: async (id) => {
      entries.delete(id);
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id);
    },
  };
};

/** Stores sessions and codes in memory; they are lost at a restart. */
export const memoryAdapter = (): AdapterFactory => {
  const models = new Map<string, Map<string, Entry>>();
  return (model) => {
    const entries = models.get(model) ?? new Map<string, Entry>();
    models.set(model, entries);
    return adapterOver(entries);
  };
};
