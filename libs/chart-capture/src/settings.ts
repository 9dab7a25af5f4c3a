import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { limitedTo } from '@tapedeck/platform/rate-limit';
import {
  atLeastOne,
  days,
  httpUrl,
  httpUrlOrNone,
  port,
  siteOrigin,
  text,
} from '@tapedeck/platform/setting-values';
import * as z from 'zod';

const resourceOrigins = z
  .string()
  .transform((list) => list.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .pipe(z.array(siteOrigin));

const secret = z.string().min(16, 'must have at least 16 characters').optional();

const pictures = defineSettings({
  PICTURE_FOLDER: {
    schema: text,
    byDefault: '.data/pictures',
    readBy: ['api'],
    description: 'where the pictures of charts are kept; not used with `S3_BUCKET`',
  },
  S3_BUCKET: {
    schema: text.optional(),
    readBy: ['api'],
    otherwise: 'pictures are files in `PICTURE_FOLDER`',
    description:
      'keeps the pictures of charts in this bucket of an S3-compatible store, which several APIs can share',
  },
  S3_ENDPOINT: {
    schema: httpUrl.optional(),
    readBy: ['api'],
    otherwise: 'that of Amazon',
    description: 'the address of the store',
  },
  S3_REGION: {
    schema: text,
    byDefault: 'us-east-1',
    readBy: ['api'],
    description: 'the region of the store',
  },
  S3_ACCESS_KEY_ID: { schema: text.optional(), readBy: ['api'], description: 'the name of its key' },
  S3_SECRET_ACCESS_KEY: { schema: text.optional(), readBy: ['api'], isSecret: true, description: 'its key' },
});

const site = defineSettings({
  CHART_RESOURCE_ORIGINS: {
    schema: resourceOrigins,
    byDefault: '',
    readBy: ['capture'],
    description: 'further origins, separated by commas, from which the pages of the charting site may load',
  },
  CHART_SELECTOR: {
    schema: text,
    byDefault: '[data-chart="performance"]',
    readBy: ['capture'],
    description: 'CSS selector of the element that is captured',
  },
});

const captureProcess = defineSettings({
  CAPTURE_URL: {
    schema: httpUrlOrNone,
    byDefault: '',
    readBy: ['api'],
    description: 'the capture process; empty for none',
  },
  CAPTURE_SECRET: {
    schema: secret,
    readBy: ['api', 'capture'],
    isSecret: true,
    otherwise: 'nothing is captured',
    description: 'at least 16 characters, by which the API shows the capture process that it is the API',
  },
  CAPTURE_PORT: {
    schema: port,
    byDefault: '4100',
    readBy: ['capture'],
    description: 'port of the capture process; `0` selects a free one',
  },
  CAPTURE_HOST: {
    schema: text,
    byDefault: '127.0.0.1',
    readBy: ['capture'],
    description: 'address of the capture process',
  },
  CAPTURES_AT_ONCE: { schema: atLeastOne, byDefault: '2', readBy: ['capture'], description: 'pages at once' },
  CAPTURE_QUEUE: {
    schema: atLeastOne,
    byDefault: '20',
    readBy: ['capture'],
    description: 'captures that wait; further ones are refused',
  },
  CAPTURE_MEMORY_MB: {
    schema: atLeastOne,
    byDefault: '1024',
    readBy: ['capture'],
    description: 'the most memory of the browser, which is ended beyond it',
  },
  CHROMIUM: {
    schema: text.optional(),
    readBy: ['capture'],
    otherwise: 'the first one that is found',
    description: 'the path of Chromium or Chrome',
  },
});

export const chartCaptureSettings = defineSettings({
  ...site,
  ...captureProcess,
  ...pictures,
  CHART_MAX_AGE_DAYS: {
    schema: days,
    byDefault: '7',
    readBy: ['api'],
    description: 'after this time a chart is captured again when its strategy is opened',
  },
  RATE_LIMIT_CAPTURE: {
    ...limitedTo('10/min'),
    description:
      'captures that one session has started; of one address without a session, all requests for one',
  },
  RATE_LIMIT_PICTURES: { ...limitedTo('1200/min'), description: 'pictures of charts' },
});

/** The charting site is a setting of the strategies, which link to it. */
type ChartSite = Readonly<{ CHART_ORIGIN: string }>;
export type ChartCaptureConfig = ConfigOf<typeof chartCaptureSettings, 'api'> & ChartSite;
export type CaptureProcessConfig = ConfigOf<typeof chartCaptureSettings, 'capture'> & ChartSite;
