import type { ThunkAction, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';

type RunningQuery = Readonly<{ abort: () => void }> | undefined;

/** Aborts the running query of the last options when they change, or become null, before it is answered. */
export const useAbortOfSuperseded = <Options>(
  options: Options | null,
  runningQuery: (options: Options) => ThunkAction<RunningQuery, never, unknown, UnknownAction>,
): void => {
  const dispatch = useDispatch<ThunkDispatch<never, unknown, UnknownAction>>();
  const latest = useRef(options);
  useEffect(() => {
    const before = latest.current;
    latest.current = options;
    if (before === null || JSON.stringify(before) === JSON.stringify(options)) return;
    dispatch(runningQuery(before))?.abort();
  }, [options, runningQuery, dispatch]);
};
