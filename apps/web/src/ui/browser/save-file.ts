/** How long some browsers may take to begin reading the file. */
const readWithinMs = 60_000;

/** Starts the browser's download of a file. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), readWithinMs);
};
