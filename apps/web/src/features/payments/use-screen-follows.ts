import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';

export type ScreenFollows = Readonly<{ isFollowing: boolean; follow: () => Promise<void> }>;

/**
 * For after a mutation: resolves when what it has invalidated is on the screen, so that its toast says nothing that the
 * tier, the dates and the history do not say yet.
 */
export const useScreenFollows = (): ScreenFollows => {
  const dispatch = useDispatch<ThunkDispatch<never, unknown, UnknownAction>>();
  const [isFollowing, setIsFollowing] = useState(false);
  const follow = async (): Promise<void> => {
    setIsFollowing(true);
    await Promise.allSettled(dispatch(baseApi.util.getRunningQueriesThunk()));
    setIsFollowing(false);
  };
  return { isFollowing, follow };
};
