import * as z from 'zod';
import type { ChartFailure } from './domain/chart-failure.ts';

export { chartFailures, type ChartFailure } from './domain/chart-failure.ts';

/** What people read. */
export const chartTexts = {
  'not-on-site': 'This strategy is not available on TradingView',
  'no-chart': 'Performance chart not available for this strategy',
  timeout: 'Loading timeout - please try again later',
  unreachable: 'Unable to load performance chart - please try again later',
  /** There is no browser, or no charting site. */
  unavailable: 'Performance chart not available',
  /** The picture is there, but the page could not show it. */
  undisplayable: 'Failed to display performance chart',
} as const satisfies Readonly<Record<ChartFailure | 'unavailable' | 'undisplayable', string>>;

export const CaptureChartBody = z.object({ urlId: z.string() }).meta({ id: 'CaptureChartBody' });
export type CaptureChartBody = z.infer<typeof CaptureChartBody>;

export const ChartPicture = z
  .object({
    /** With the version of the picture, so that it can be kept for ever. */
    imagePath: z.string(),
    width: z.number().int(),
    height: z.number().int(),
    takenAt: z.string(),
  })
  .meta({ id: 'ChartPicture' });
export type ChartPicture = z.infer<typeof ChartPicture>;

/** The strategy whose chart visitors may capture: the first by its id (docs/product-decisions.md#capture-without-a-session). */
export const SampleStrategy = z.object({ urlId: z.string() }).meta({ id: 'SampleStrategy' });
export type SampleStrategy = z.infer<typeof SampleStrategy>;

export const chartCaptureRoutes = {
  capture: '/api/chart-screenshot',
  sample: '/api/chart-screenshot/sample',
  picture: (urlId: string) => `/public-objects/screenshots/${urlId}.png`,
} as const;

/** The addresses of its screens. */
export const chartCaptureScreens = ['/test-screenshot'] as const;
