import type { FoundMembers } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useFoundMembersQuery } from './audit.api.ts';

type Found = Readonly<{
  found: FoundMembers | undefined;
  isFetching: boolean;
  /** Says that the search has failed, and repeats it; null while there is something to show. */
  failure: JSX.Element | null;
}>;

/** Searches for members and purchases; a component that is mounted again asks again, also for the same text. */
export const useFound = (text: string): Found => {
  const {
    currentData: found,
    error,
    isFetching,
    refetch,
  } = useFoundMembersQuery(text, { refetchOnMountOrArgChange: true });
  const failure =
    error && !found ? (
      <RetryNotice
        text="The search has failed. Nothing was changed."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : null;
  return { found, isFetching, failure };
};
