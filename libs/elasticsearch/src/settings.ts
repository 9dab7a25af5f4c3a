import { badSetting, defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { httpUrl, text } from '@tapedeck/platform/setting-values';
import * as z from 'zod';

export const elasticsearchSettings = defineSettings({
  ELASTICSEARCH_URL: {
    schema: httpUrl.optional(),
    readBy: ['api', 'projector', 'task'],
    isSecret: true,
    otherwise: 'the explorer searches in memory',
    description:
      'an Elasticsearch 8 server for the explorer, optionally with `user:password@` before the host',
  },
  ELASTICSEARCH_API_KEY: {
    schema: text.optional(),
    readBy: ['api', 'projector', 'task'],
    isSecret: true,
    description: 'instead of user and password',
  },
  ELASTICSEARCH_INDEX: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'must consist of lower-case letters, digits and hyphens'),
    byDefault: 'tapedeck-explorer',
    readBy: ['api', 'projector', 'task'],
    description: "prefix of its indexes' names; each product on a server needs its own",
  },
});

type Credentials = Pick<
  ConfigOf<typeof elasticsearchSettings, 'task'>,
  'ELASTICSEARCH_URL' | 'ELASTICSEARCH_API_KEY'
>;

/** @throws DomainError BAD_CONFIGURATION */
export const refuseTwoCredentials = ({
  ELASTICSEARCH_URL: url,
  ELASTICSEARCH_API_KEY: key,
}: Credentials): void => {
  if (key === undefined || (url !== undefined && new URL(url).username === '')) return;
  throw badSetting(
    'ELASTICSEARCH_API_KEY',
    url === undefined
      ? 'is set without ELASTICSEARCH_URL'
      : 'is set while ELASTICSEARCH_URL contains a user: remove one of the two',
  );
};
