import { defineSettings } from '@tapedeck/platform/config';
import { limitedTo } from '@tapedeck/platform/rate-limit';

export const explorerSettings = defineSettings({
  RATE_LIMIT_EXPLORER: {
    ...limitedTo('1200/min'),
    description: 'searches, ranges, histograms, similar and compared strategies',
  },
  RATE_LIMIT_BRUSH: {
    ...limitedTo('600/min'),
    description: 'slices for dragging a slider, one for each grab',
  },
  RATE_LIMIT_TEASER: {
    ...limitedTo('60/min'),
    description: 'counts of the catalogue for the landing page, of one address',
  },
  RATE_LIMIT_EXPORT: { ...limitedTo('20/min'), description: 'CSV exports' },
});
