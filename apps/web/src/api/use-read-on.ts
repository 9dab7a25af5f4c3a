import { useEffect, useRef, useState } from 'react';

/** What of an infinite query it needs. */
export type PagedQuery = Readonly<{
  isFetching: boolean;
  fetchNextPage: () => PromiseLike<unknown>;
}>;

export type ReadOn = Readonly<{
  readOn: () => void;
  isReadingOn: boolean;
}>;

/** Reads the next page of an infinite query, after the request that is under way: RTK Query ignores what is asked for meanwhile. */
export const useReadOn = ({ isFetching, fetchNextPage }: PagedQuery): ReadOn => {
  const [isReadingOn, setIsReadingOn] = useState(false);
  const isSent = useRef(false);
  useEffect(() => {
    if (!isReadingOn || isFetching || isSent.current) return;
    isSent.current = true;
    const end = (): void => {
      isSent.current = false;
      setIsReadingOn(false);
    };
    void fetchNextPage().then(end, end);
  }, [isReadingOn, isFetching, fetchNextPage]);
  return { readOn: () => setIsReadingOn(true), isReadingOn };
};
