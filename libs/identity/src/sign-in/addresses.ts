const longest = 2_000;
const home = '/';
// Only to resolve paths against; whatever leaves it leads elsewhere.
const base = 'http://own.invalid';

/** Servers decode before they look where a path leads; undefined when they could not. */
const decoded = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
};

/** The path of our own that somebody wanted to see, or the front page for anything else. */
export const safeReturnPath = (wanted: unknown): string => {
  if (typeof wanted !== 'string' || wanted.length > longest) return home;
  // Browsers drop control characters and read a backslash as a slash.
  if (!/^\/(?![/\\])/.test(wanted) || /[\\\u0000-\u001f\u007f]/.test(wanted)) return home;
  if (!URL.canParse(wanted, base)) return home;
  const { origin, pathname, search, hash } = new URL(wanted, base);
  // Dots are resolved by now: `/.//elsewhere` would have become `//elsewhere`.
  const leaves = origin !== base || pathname.startsWith('//');
  return leaves || (decoded(pathname) ?? '/api/').startsWith('/api/') ? home : `${pathname}${search}${hash}`;
};
