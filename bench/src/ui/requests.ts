import { explorerRoutes } from '@tapedeck/explorer/contract';
import type { Page } from 'playwright-core';

/** An exploration brings the rows and all histograms. */
const kinds = {
  explorations: [explorerRoutes.explore, explorerRoutes.filtered],
  histograms: [explorerRoutes.histogram, explorerRoutes.quantileHistogram, explorerRoutes.ranges],
  slices: [explorerRoutes.brush],
} as const;
type Kind = keyof typeof kinds | 'others';

export const phases = ['before', 'during', 'after'] as const;
/** Before the thumb is pressed, while it is held, and after it was let go. */
export type Phase = (typeof phases)[number];

export type RequestCounts = Readonly<Record<Phase, Readonly<Record<Kind, number>>>>;

export type RequestWatch = Readonly<{ enter: (phase: Phase | null) => void; counts: () => RequestCounts }>;

const kindOf = (path: string): Kind => {
  const known = (Object.keys(kinds) as (keyof typeof kinds)[]).find((kind) =>
    kinds[kind].some((route) => route === path),
  );
  return known ?? 'others';
};

/** Counts the page's requests to the API. */
export const watchRequests = (page: Page): RequestWatch => {
  const counts = Object.fromEntries(
    phases.map((phase) => [phase, { explorations: 0, histograms: 0, slices: 0, others: 0 }]),
  ) as Record<Phase, Record<Kind, number>>;
  let now: Phase | null = null;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (now && pathname.startsWith('/api/')) counts[now][kindOf(pathname)]++;
  });
  return {
    enter: (phase) => {
      now = phase;
    },
    counts: () => structuredClone(counts),
  };
};
