// Where the development provider keeps its codes, tokens and sessions: in memory, for as long as it runs.
import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  expiresAt: number;
}

/** A factory of adapters for one provider, one for each model. None sees the entries of another. */
export function createMemoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, Entry>();

  function read(key: string): AdapterPayload | undefined {
    const entry = entries.get(key);
    if (entry !== undefined && entry.expiresAt > Date.now()) return entry.payload;
    entries.delete(key);
    return undefined;
  }

  const findBy = (model: string, property: 'uid' | 'userCode', value: string) =>
    [...entries.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(read)
      .find((payload) => payload?.[property] === value);

  return (model) => ({
    async upsert(id, payload, expiresIn) {
      entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + (expiresIn || 86_400) * 1000 });
    },
    find: async (id) => read(`${model}:${id}`),
    findByUid: async (uid) => findBy(model, 'uid', uid),
    findByUserCode: async (userCode) => findBy(model, 'userCode', userCode),
    async consume(id) {
      const payload = read(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      // Of this model alone: an interaction in progress refers to the previous grant, and must not be deleted with it.
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key);
      }
    },
  });
}
