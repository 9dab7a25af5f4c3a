const annotation = /^[ \t]*\/\/\s?@version\s*=\s*(\d{1,2})\b/m;

/** The version that the script itself states, else the one that its source states; null when neither does. */
export const pineVersionOf = (code: string, stated: number | null): number | null => {
  const [, version] = annotation.exec(code) ?? [];
  return version === undefined ? stated : Number(version);
};
