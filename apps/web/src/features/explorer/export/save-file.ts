/** `tapedeck-strategies-2026-03-14.csv`, the day of UTC as the server writes it. */
export const csvFileName = (now: Date): string => `tapedeck-strategies-${now.toISOString().slice(0, 10)}.csv`;

/** Hands a file to the browser, which saves it or asks where to. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read it only after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
