import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { limitedTo } from '@tapedeck/platform/rate-limit';
import { databasePassword, postgresUrl } from '@tapedeck/platform/setting-values';

export const sqlConsoleSettings = defineSettings({
  CONSOLE_DATABASE_PASSWORD: {
    schema: databasePassword,
    readBy: ['migrate'],
    isSecret: true,
    otherwise: 'the roles are not created',
    description:
      'password of `tapedeck_console_ro` and `tapedeck_console_rw`, which `npm run migrate` creates',
  },
  CONSOLE_READ_DATABASE_URL: {
    schema: postgresUrl.optional(),
    readBy: ['api'],
    isSecret: true,
    otherwise: 'the SQL console says what is missing',
    description: 'the catalogue as `tapedeck_console_ro`',
  },
  CONSOLE_WRITE_DATABASE_URL: {
    schema: postgresUrl.optional(),
    readBy: ['api'],
    isSecret: true,
    otherwise: 'the SQL console says what is missing',
    description: 'the catalogue as `tapedeck_console_rw`',
  },
  RATE_LIMIT_SQL: {
    ...limitedTo('30/min'),
    description: 'statements, plans and commits of the SQL console',
  },
});

export type SqlConsoleConfig = ConfigOf<typeof sqlConsoleSettings, 'api'>;
