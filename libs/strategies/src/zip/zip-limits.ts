const mebibyte = 1024 * 1024;

/** What an archive may ask of us; the reasons are in docs/decisions/010-zip-guards.md. */
export const zipLimits = {
  archiveBytes: 256 * mebibyte,
  entries: 20_000,
  directoryBytes: 16 * mebibyte,
  /** Of all entries together, declared and actually inflated. */
  totalBytes: 400 * mebibyte,
  entryBytes: 8 * mebibyte,
  ratio: 100,
  /** Below this size the ratio does not matter. */
  ratioFromBytes: mebibyte,
  nameBytes: 200,
} as const;

export type ZipLimits = { readonly [Name in keyof typeof zipLimits]: number };

export const inMebibytes = (bytes: number): string => `${Math.round(bytes / mebibyte)} MB`;
