import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as z from 'zod';

const sections = [
  'dashboard',
  'strategy-optimizer',
  'strategy-explorer',
  'trading-bots',
  'my-account',
] as const;
export type Section = (typeof sections)[number];

const Chosen = z.object({ section: z.enum(sections) });

/** An unknown name is the dashboard. */
const sectionOf = (value: unknown): Section => {
  const { data } = Chosen.safeParse(value);
  return data?.section ?? 'dashboard';
};

/**
 * An address that was typed shows what it names: `/` is the dashboard. The browser keeps the state of the entry when the
 * address is the same, as it does for a reload and for Back, which show the section again. Called before the router starts.
 */
export const forgetSectionOfTypedAddress = (): void => {
  const [entry] = performance.getEntriesByType('navigation');
  const isTyped = entry instanceof PerformanceNavigationTiming && entry.type === 'navigate';
  if (isTyped && sectionOf(window.history.state?.usr) !== 'dashboard') window.history.replaceState(null, '');
};

/** The address of a section, from other pages. */
export const sectionPath = (section: Section): string =>
  section === 'dashboard' ? '/' : `/?section=${section}`;

/** The section that the address or the entry of the browser's history names. */
export const useSection = (): Section => {
  const { search, state } = useLocation();
  const named = new URLSearchParams(search).get('section');
  return named === null ? sectionOf(state) : sectionOf({ section: named });
};

/** Removes the parameter `section`; the entry of the history keeps the choice, also for a reload and for Back. */
export const useCleanAddress = (): void => {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const named = query.get('section');
    if (named === null) return;
    query.delete('section');
    const state = { section: sectionOf({ section: named }) };
    void navigate({ pathname: '/', search: query.toString(), hash }, { replace: true, state });
  }, [search, hash, navigate]);
};
