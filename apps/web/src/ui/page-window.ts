/** The page buttons to show: at most `maxButtons`, with the current page in the middle where possible. */
export const pageWindow = (page: number, pages: number, maxButtons = 7): readonly number[] => {
  const length = Math.max(0, Math.min(maxButtons, pages));
  const first = Math.max(1, Math.min(page - Math.floor(maxButtons / 2), pages - length + 1));
  return Array.from({ length }, (_, index) => first + index);
};
