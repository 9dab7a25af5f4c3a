import * as z from 'zod';
import { defineSettings, type ConfigOf } from '../config.ts';
import { limitedTo } from './rate-limit.ts';
import {
  atLeastOne,
  databasePassword,
  httpUrl,
  keyOf32Bytes,
  port,
  postgresUrl,
  smtpUrl,
  text,
  yesOrNo,
} from './values.ts';

const processes = ['api', 'projector', 'task'] as const;

const storage = defineSettings({
  DATABASE_URL: {
    schema: postgresUrl,
    readBy: processes,
    isSecret: true,
    description: 'PostgreSQL (15 or newer) for the tape, sessions and personal read models',
    placeholder: 'postgres://nobody@127.0.0.1:1/none',
  },
  PERSONAL_DATA_KEY: {
    schema: keyOf32Bytes,
    readBy: processes,
    isSecret: true,
    description:
      '32 bytes in base64; wraps the keys that encrypt personal data on the tape, which cannot be read without it: **keep a backup**',
    placeholder: Buffer.alloc(32).toString('base64'),
  },
  MIGRATION_DATABASE_URL: {
    schema: postgresUrl,
    readBy: ['migrate'],
    isSecret: true,
    description: 'the database of `DATABASE_URL` for an administrator',
  },
  DATABASE_ROLE_PREFIX: {
    schema: z.string().regex(/^[a-z_][a-z0-9_]{0,39}$/, 'must consist of lower-case letters, digits and _'),
    byDefault: 'tapedeck',
    readBy: ['migrate'],
    description: 'how the names of the roles in the databases begin',
  },
  API_DATABASE_PASSWORD: {
    schema: databasePassword,
    readBy: ['migrate'],
    isSecret: true,
    otherwise: 'the role is not created',
    description: 'password of the role `tapedeck_api`, which `npm run migrate` creates',
  },
  PROJECTOR_DATABASE_PASSWORD: {
    schema: databasePassword,
    readBy: ['migrate'],
    isSecret: true,
    otherwise: 'the role is not created',
    description: 'password of the role `tapedeck_projector`, which `npm run migrate` creates',
  },
  MIGRATION_OWNS_SERVER: {
    schema: yesOrNo,
    byDefault: 'no',
    readBy: ['migrate'],
    description: '`yes` closes the databases `postgres` and `template1` to everybody else',
  },
});

const monitoring = defineSettings({
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    byDefault: 'info',
    readBy: [...processes, 'migrate', 'capture'],
    description: '`trace`, `debug`, `info`, `warn`, `error`, `silent`',
  },
  METRICS_PORT: {
    schema: port,
    byDefault: '0',
    readBy: [...processes, 'capture'],
    description: 'port of the Prometheus metrics at `/metrics`; `0` selects a free one',
  },
  METRICS_HOST: {
    schema: text,
    byDefault: '127.0.0.1',
    readBy: [...processes, 'capture'],
    description: 'address of the metrics',
  },
  CLOCK_URL: {
    schema: httpUrl.optional(),
    readBy: processes,
    isOutsideService: true,
    otherwise: "the system's clock",
    description: 'the clock of the stand-in for Stripe',
  },
});

const mail = defineSettings({
  SMTP_URL: {
    schema: smtpUrl,
    readBy: ['api', 'projector'],
    isSecret: true,
    isOutsideService: true,
    description: 'the mail server, such as `smtps://user:password@mail.example.com`',
    placeholder: 'smtp://127.0.0.1:1',
  },
  MAIL_FROM: {
    schema: z.string().min(3),
    byDefault: 'Tapedeck <billing@tapedeck.example>',
    readBy: ['api', 'projector'],
    description: 'the sender of mails',
  },
});

const http = defineSettings({
  PORT: {
    schema: port,
    byDefault: '4000',
    readBy: ['api'],
    description: 'port on which the product listens',
  },
  HOST: { schema: text, byDefault: '127.0.0.1', readBy: ['api'], description: 'address on which it listens' },
  PUBLIC_ORIGIN: {
    schema: httpUrl.optional(),
    readBy: ['api', 'projector'],
    otherwise: '`http://localhost:PORT`',
    description: 'the origin that people use: https, or http on this machine',
  },
  TRUSTED_PROXIES: {
    schema: z.coerce.number().int().min(0),
    byDefault: '0',
    readBy: ['api'],
    description: "number of proxies in front that may state the client's address",
  },
  SESSION_SECRET: {
    schema: z.string().min(32, 'must have at least 32 characters'),
    readBy: ['api'],
    isSecret: true,
    description: 'at least 32 characters; signs sessions',
    placeholder: 'x'.repeat(32),
  },
  WEB_ROOT: {
    schema: z.string().optional(),
    readBy: ['api'],
    otherwise: '`apps/web/dist/site`',
    description: 'folder of the built web client',
  },
  ALLOW_SANDBOX: {
    schema: yesOrNo,
    byDefault: 'no',
    readBy: ['api'],
    description: '`yes` allows stand-ins in an instance that others can reach',
  },
  ALLOW_HTTP: {
    schema: yesOrNo,
    byDefault: 'no',
    readBy: ['api'],
    description: '`yes` allows a `PUBLIC_ORIGIN` with http that others can reach',
  },
});

const limits = defineSettings({
  RATE_LIMIT_READS: {
    ...limitedTo('600/min'),
    description:
      'requests under `/api` that no other limit counts, of one session, or of one address without a session',
  },
  RATE_LIMIT_WRITES: { ...limitedTo('240/min'), description: 'commands that no other limit counts' },
  RATE_LIMIT_CHANGES: {
    ...limitedTo('120/min'),
    description: 'streams of changes opened, one for each tab',
  },
  RATE_LIMIT_HEALTH: { ...limitedTo('1200/min'), description: '`/health/live` and `/health/ready`' },
  RATE_LIMIT_STORE: {
    schema: z.enum(['memory', 'postgres'], { message: 'must be memory or postgres' }),
    byDefault: 'memory',
    readBy: ['api'],
    description: '`postgres` where several processes of the API run: they count together',
  },
  DATABASE_REQUESTS_PER_CLIENT: {
    schema: atLeastOne,
    byDefault: '4',
    readBy: ['api'],
    description:
      'requests of one client that use a database at once; further ones wait for two seconds at most',
  },
  CHANGE_STREAMS_PER_CLIENT: {
    schema: atLeastOne,
    byDefault: '50',
    readBy: ['api'],
    description: 'streams of changes of one client that are open at once; further ones are refused',
  },
  CHANGE_STREAMS: {
    schema: atLeastOne,
    byDefault: '5000',
    readBy: ['api'],
    description: 'streams of changes that are open at once, of all clients',
  },
});

const projections = defineSettings({
  PROJECTION_LEASE_MS: {
    schema: z.coerce.number().int().min(200).max(8_000),
    byDefault: '6000',
    readBy: ['projector'],
    description: 'milliseconds after which another projector takes over',
  },
  PROJECTION_BATCH_SIZE: {
    schema: z.coerce.number().int().min(1).max(10_000),
    byDefault: '2000',
    readBy: ['projector'],
    description: 'events per transaction',
  },
  PROJECTION_DROP_AFTER_DAYS: {
    schema: z.coerce.number().min(0).max(3_650),
    byDefault: '7',
    readBy: ['projector'],
    description: 'how long an old version of a read model is kept after a newer one has replaced it',
  },
});

/** What every program of the product needs, whatever its modules are. */
export const platformSettings = defineSettings({
  ...http,
  ...storage,
  ...mail,
  ...limits,
  ...monitoring,
  ...projections,
});

/** Where browsers reach the product. */
export type Origins = Readonly<{
  /** Without a slash at the end. */
  publicOrigin: string;
  /** All origins of this instance: on a loopback address both names, otherwise the public origin. */
  origins: readonly string[];
}>;

/** What platform knows of the configuration of the API. */
export type ApiConfig = ConfigOf<typeof platformSettings, 'api'> & Origins;
