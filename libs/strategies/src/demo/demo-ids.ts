const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'Demo';
/** How many ids there are. */
export const demoIdCount = alphabet.length ** (8 - prefix.length);

// Without a common factor with the number of ids, so that every index has an id of its own.
const step = 6_180_339;

/** A url_id that no published script has: those are drawn at random, and none is known to begin so. */
export const demoIdAt = (index: number): string => {
  let left = (index * step + 1_618_034) % demoIdCount;
  let id = '';
  for (let place = prefix.length; place < 8; place++) {
    id = alphabet.charAt(left % alphabet.length) + id;
    left = Math.floor(left / alphabet.length);
  }
  return prefix + id;
};

/** Whether a strategy is one of the generated ones (D22: screens mark them). */
export const isDemoStrategy = (urlId: string): boolean => urlId.startsWith(prefix);
