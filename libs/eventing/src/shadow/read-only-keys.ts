import { randomBytes, randomUUID } from 'node:crypto';
import { accountForgotten, type DataKey, type PersonalDataKeys } from '../store/personal-data-keys.ts';

/** Reads keys that exist; one that would be created stays in memory. */
export const readOnlyKeys = (keys: PersonalDataKeys): PersonalDataKeys => {
  const own = new Map<string, DataKey>();
  return {
    keyFor: async (subject) => {
      const known = (await keys.keysOf([subject])).get(subject) ?? own.get(subject);
      if (known === 'forgotten') throw accountForgotten();
      const key = known ?? { id: randomUUID(), secret: randomBytes(32) };
      if (!known) own.set(subject, key);
      return key;
    },
    // One of our own stays the one that we have encrypted with, when another process creates the key meanwhile.
    keysOf: async (subjects) => new Map([...(await keys.keysOf(subjects)), ...own]),
    forget: async () => {
      throw new Error('A shadow of the tape cannot forget an account.');
    },
  };
};
