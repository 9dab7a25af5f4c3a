/** In this order: most browsers also name those whose engine they use. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPX|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

const maxReadLength = 1_000;

const nameIn = (
  names: readonly (readonly [name: string, pattern: RegExp])[],
  text: string,
): string | undefined => names.find(([, pattern]) => pattern.test(text))?.[0];

/**
 * The family of a browser and of its system, such as `Firefox on Linux`: enough to recognise one's own, too little to
 * identify anybody. Null when the header names neither.
 */
export const browserOf = (userAgent: string | undefined): string | null => {
  const text = (userAgent ?? '').slice(0, maxReadLength);
  const browser = nameIn(browsers, text);
  const system = nameIn(systems, text);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? null;
};
