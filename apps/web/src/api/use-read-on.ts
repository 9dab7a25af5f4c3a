import { useEffect, useState } from 'react';

/** What of an infinite query it needs. */
export type PagedQuery = Readonly<{
  isFetching: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}>;

export type ReadOn = Readonly<{
  readOn: () => void;
  isReadingOn: boolean;
}>;

/** Reads the next page of an infinite query, after the request that is under way: RTK Query ignores what is asked for meanwhile. */
export const useReadOn = ({ isFetching, isFetchingNextPage, fetchNextPage }: PagedQuery): ReadOn => {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (!isWanted || isFetching) return;
    setIsWanted(false);
    fetchNextPage();
  }, [isWanted, isFetching, fetchNextPage]);
  return { readOn: () => setIsWanted(true), isReadingOn: isWanted || isFetchingNextPage };
};
