import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { httpUrlOrNone, postgresUrl, siteOriginOrNone } from '@tapedeck/platform/setting-values';

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
    schema: siteOriginOrNone,
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
