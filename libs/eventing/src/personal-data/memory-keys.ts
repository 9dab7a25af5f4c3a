import { randomBytes, randomUUID } from 'node:crypto';
import { accountForgotten, type DataKey, type PersonalDataKeys } from '../store/personal-data-keys.ts';

/**
 * Keys that live as long as the process.
 *
 * @example
 * const store = createMemoryEventStore({ types, keys: createMemoryPersonalDataKeys() });
 */
export const createMemoryPersonalDataKeys = (): PersonalDataKeys => {
  const keys = new Map<string, DataKey | 'forgotten'>();
  return {
    keyFor: async (subject) => {
      const known = keys.get(subject) ?? { id: randomUUID(), secret: randomBytes(32) };
      if (known === 'forgotten') throw accountForgotten();
      keys.set(subject, known);
      return known;
    },
    keysOf: async (subjects) => {
      const found = new Map<string, DataKey>();
      for (const subject of subjects) {
        const key = keys.get(subject);
        if (key && key !== 'forgotten') found.set(subject, key);
      }
      return found;
    },
    forget: async (subject) => {
      keys.set(subject, 'forgotten');
    },
  };
};
