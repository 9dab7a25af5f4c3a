import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { httpUrlOrNone, postgresUrl } from '@tapedeck/platform/setting-values';
import * as z from 'zod';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An https origin with a name, or a stand-in on this machine. */
export const isChartSite = (origin: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.origin !== origin) return false;
  if (loopbackNames.has(url.hostname)) return /^https?:$/.test(url.protocol);
  const hasName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname);
  return url.protocol === 'https:' && url.port === '' && hasName;
};

export const chartSiteProblem =
  'must be an origin such as https://www.tradingview.com: https, without a port and a path';

const chartOrigin = z.union([z.literal(''), z.string().refine(isChartSite, chartSiteProblem)]);

export const strategiesSettings = defineSettings({
  CATALOGUE_DATABASE_URL: {
    schema: postgresUrl,
    readBy: ['api', 'projector', 'task'],
    isSecret: true,
    description: "PostgreSQL for the catalogue's read models",
    placeholder: 'postgres://nobody@127.0.0.1:1/none',
  },
  MIGRATION_CATALOGUE_DATABASE_URL: {
    schema: postgresUrl,
    readBy: ['migrate'],
    isSecret: true,
    description: 'the database of `CATALOGUE_DATABASE_URL` for an administrator',
  },
  CHART_ORIGIN: {
    schema: chartOrigin,
    byDefault: '',
    readBy: ['api', 'capture'],
    isOutsideService: true,
    description: 'the charting site, where strategies are at `/script/{urlId}/`; empty for none',
  },
  CHART_IMAGE_ORIGIN: {
    schema: httpUrlOrNone,
    byDefault: '',
    readBy: ['api'],
    contentSource: 'img-src',
    description: 'thumbnails are loaded from `{CHART_IMAGE_ORIGIN}/{urlId}.svg`; empty for none',
  },
});

export type StrategiesConfig = ConfigOf<typeof strategiesSettings, 'api'>;
