import type { ThunkAction, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';

type Running = Readonly<{ abort: () => void }> | undefined;

/** Aborts the request for `asked` when something else, or nothing, is asked before it is answered. */
export const useAbortOfSuperseded = <Asked>(
  asked: Asked | null,
  running: (asked: Asked) => ThunkAction<Running, never, unknown, UnknownAction>,
): void => {
  const dispatch = useDispatch<ThunkDispatch<never, unknown, UnknownAction>>();
  const latest = useRef(asked);
  useEffect(() => {
    const before = latest.current;
    latest.current = asked;
    if (before === null || JSON.stringify(before) === JSON.stringify(asked)) return;
    dispatch(running(before))?.abort();
  }, [asked, running, dispatch]);
};
