/** The page buttons to show: at most `size`, around the current page where there is room. */
export const pageWindow = (page: number, pages: number, size = 7): readonly number[] => {
  const length = Math.max(0, Math.min(size, pages));
  const first = Math.max(1, Math.min(page - Math.floor(size / 2), pages - length + 1));
  return Array.from({ length }, (_, at) => first + at);
};
