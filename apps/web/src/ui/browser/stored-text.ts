export type StoredText = Readonly<{ read: () => string | null; write: (text: string | null) => void }>;

/** A text under one key of the browser's storage. Where storage is forbidden or full, nothing is read or written. */
export const storedText = (key: string, storage: () => Storage = () => localStorage): StoredText => ({
  read: () => {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },
  write: (text) => {
    try {
      if (text === null) storage().removeItem(key);
      else storage().setItem(key, text);
    } catch {
      // What was to be stored lasts as long as the page.
    }
  },
});
