import type { AuditedMember } from '@tapedeck/audit/contract';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { useRepeat } from '../../api/use-repeat.ts';
import { invalidateTape, useAuditedMemberQuery } from './audit.api.ts';

/** How far apart the parts of the page may be. */
export const followMs = 5_000;

/** Another text for each state of the member's tape. */
const tapeOf = ({ events, lastAt }: AuditedMember): string => `${events} ${lastAt}`;

/**
 * The member, who is asked for repeatedly: each answer says whether the tape has changed, and then all that is drawn from it is
 * asked for again. So it is after the second answer, too: what is drawn was asked for together with the first, and may be older.
 */
export const useFollowedMember = (accountId: string): ReturnType<typeof useAuditedMemberQuery> => {
  const query = useAuditedMemberQuery(accountId, { refetchOnMountOrArgChange: true });
  const { data, fulfilledTimeStamp, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: followMs, isOn: data !== undefined });
  const dispatch = useDispatch();
  const drawn = useRef<Readonly<{ firstAnswerAt: number; tape: string | null }> | null>(null);
  useEffect(() => {
    if (!data || fulfilledTimeStamp === undefined) return;
    const { firstAnswerAt, tape } = (drawn.current ??= { firstAnswerAt: fulfilledTimeStamp, tape: null });
    if (fulfilledTimeStamp === firstAnswerAt || tapeOf(data) === tape) return;
    drawn.current = { firstAnswerAt, tape: tapeOf(data) };
    dispatch(invalidateTape());
  }, [data, fulfilledTimeStamp, dispatch]);
  return query;
};
