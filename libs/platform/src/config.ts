import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';

// Not linear: configuration.
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\/\S+\/\S+$/, {
  message: 'must look like postgres://user:password@host:5432/database',
});
const httpUrl = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });
const port = z.coerce.number({ message: 'must be a port number' }).int().min(0).max(65_535);
const keyOf32Bytes = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32, 'must be 32 bytes in base64');

/** Such as `Free member=free@example.com,Admin=admin@example.com`. */
const signInHints = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .filter((part) => part.includes('='))
      .map((part) => {
        const at = part.indexOf('=');
        return { label: part.slice(0, at).trim(), email: part.slice(at + 1).trim() };
      }),
  );

/** The form in which e-mail addresses are compared. */
export const foldEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

export type RateLimit = Readonly<{ max: number; windowMs: number }>;

const windowsMs = { s: 1_000, min: 60_000, h: 3_600_000 } as const;
// Not linear: configuration.
const rateLimitPattern = /^(?<max>[1-9]\d{0,6})\/(?<unit>s|min|h)$/;

/** Such as `240/min`: requests of one session, or of one address without a session. */
const rateLimit = (byDefault: string): z.ZodType<RateLimit> =>
  z
    .string()
    .default(byDefault)
    .refine((text) => rateLimitPattern.test(text), {
      message: 'must be a number of requests per s, min or h, such as 240/min',
      abort: true,
    })
    .transform((text) => {
      const { max, unit } = rateLimitPattern.exec(text)?.groups ?? {};
      return { max: Number(max), windowMs: windowsMs[unit as keyof typeof windowsMs] };
    });

const atLeastOne = z.coerce
  .number({ message: 'must be a number' })
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100_000, 'must be at most 100000');

/** One secret, or two separated by a comma while it is changed. */
const webhookSecrets = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
  )
  .refine((secrets) => secrets.length === 1 || secrets.length === 2, {
    message: 'must be one secret, or the old and the new one separated by a comma',
  });

/** The price ids of one plan and period in Stripe. */
const priceId = z.string().regex(/^[A-Za-z0-9_]{1,100}$/, 'must be the id of a price in Stripe');

const amount = (byDefault: number): z.ZodType<number> =>
  z.coerce
    .number({ message: 'must be a number' })
    .int('must be a whole number of the smallest unit, such as cents')
    .min(0, 'must not be negative')
    .default(byDefault);

const days = (byDefault: number): z.ZodType<number> =>
  z.coerce
    .number({ message: 'must be a number of days' })
    .int('must be a whole number of days')
    .min(0, 'must not be negative')
    .max(3_650, 'must be at most 3650 days')
    .default(byDefault);

const base = z.object({
  DATABASE_URL: postgresUrl,
  CATALOGUE_DATABASE_URL: postgresUrl,
  /** Encrypts the keys of personal data: without it the personal data cannot be read. */
  PERSONAL_DATA_KEY: keyOf32Bytes,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  METRICS_PORT: port.default(0),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** If set, the clock there is the product's clock; otherwise the system's. */
  CLOCK_URL: httpUrl.optional(),
  /** If set, this server answers searches; otherwise the memory of the API's process does. */
  ELASTICSEARCH_URL: httpUrl.optional(),
  ELASTICSEARCH_API_KEY: z.string().min(1).optional(),
  ELASTICSEARCH_INDEX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'must consist of lower-case letters, digits and hyphens')
    .default('tapedeck-explorer'),
});

/** What payments and mail need; programs that only read or write the tape start without it. */
const payments = z.object({
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_(?:test|live)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…'),
  /** Where Stripe is: itself by default, otherwise a stand-in. */
  STRIPE_API_URL: httpUrl.optional(),
  STRIPE_PRICE_PRO_MONTHLY: priceId,
  STRIPE_PRICE_PRO_ANNUAL: priceId,
  STRIPE_PRICE_ELITE_MONTHLY: priceId,
  STRIPE_PRICE_ELITE_ANNUAL: priceId,
  /** Takes the difference off the first month of Pro (docs/product-decisions.md#introductory-price); without one there is no introductory price. */
  STRIPE_INTRO_COUPON: priceId.optional(),
  PRO_MONTHLY_AMOUNT: amount(999),
  PRO_ANNUAL_AMOUNT: amount(7_499),
  ELITE_MONTHLY_AMOUNT: amount(1_999),
  ELITE_ANNUAL_AMOUNT: amount(17_999),
  INTRO_AMOUNT: amount(499),
  CURRENCY: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be a currency code in lower case, such as usd')
    .default('usd'),
  /** After a failed renewal, and until an unclaimed purchase is refunded (docs/product-decisions.md#grace-refunds-disputes). */
  GRACE_DAYS: days(14),
  UNCLAIMED_REFUND_DAYS: days(30),
  SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'must look like smtps://user:password@mail.example.com' }),
  MAIL_FROM: z.string().min(3).default('Tapedeck <billing@tapedeck.example>'),
});

const projector = base.extend({
  ...payments.shape,
  /** Where browsers reach the product: for the links in mails. */
  PUBLIC_ORIGIN: httpUrl.default('http://localhost:4000'),
  PROJECTION_LEASE_MS: z.coerce.number().int().min(200).max(8_000).default(6_000),
  PROJECTION_BATCH_SIZE: z.coerce.number().int().min(1).max(10_000).default(2_000),
  PROJECTION_DROP_AFTER_DAYS: z.coerce.number().min(0).max(3_650).default(7),
});

const api = base.extend({
  ...payments.shape,
  STRIPE_WEBHOOK_SECRET: webhookSecrets,
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  PUBLIC_ORIGIN: httpUrl.optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters'),
  OIDC_ISSUER: httpUrl,
  OIDC_ISSUER_NAME: z.string().min(1).optional(),
  OIDC_CLIENT_ID: z.string().min(1),
  OIDC_CLIENT_SECRET: z.string().min(1),
  CHART_IMAGE_ORIGIN: z.union([httpUrl, z.literal('')]).default(''),
  /** One page for all objects of Stripe: that of a stand-in. Empty: Stripe's own dashboard. */
  STRIPE_DASHBOARD_URL: z.union([httpUrl, z.literal('')]).default(''),
  BILLING_PORTAL_URL: z.union([httpUrl, z.literal('')]).default(''),
  SIGN_IN_HINTS: signInHints,
  /** Who may use the catalogue: every member, or as the plans are advertised. */
  ENTITLEMENTS: z.enum(['open', 'advertised'], { message: 'must be open or advertised' }).default('open'),
  RATE_LIMIT_READS: rateLimit('600/min'),
  RATE_LIMIT_WRITES: rateLimit('240/min'),
  RATE_LIMIT_SIGN_IN: rateLimit('60/min'),
  RATE_LIMIT_CALLBACK: rateLimit('60/min'),
  RATE_LIMIT_EXPLORER: rateLimit('1200/min'),
  RATE_LIMIT_BRUSH: rateLimit('600/min'),
  RATE_LIMIT_EXPORT: rateLimit('20/min'),
  RATE_LIMIT_CHANGES: rateLimit('120/min'),
  RATE_LIMIT_HEALTH: rateLimit('1200/min'),
  RATE_LIMIT_PROFILE: rateLimit('20/h'),
  RATE_LIMIT_SESSIONS: rateLimit('60/min'),
  RATE_LIMIT_DELETION: rateLimit('5/h'),
  RATE_LIMIT_CHECKOUT: rateLimit('5/min'),
  RATE_LIMIT_CHECKOUT_EMAIL: rateLimit('3/h'),
  RATE_LIMIT_CLAIM_CODE: rateLimit('10/h'),
  RATE_LIMIT_CLAIM_CODE_EMAIL: rateLimit('5/h'),
  RATE_LIMIT_LINK_PAYMENT: rateLimit('20/h'),
  RATE_LIMIT_SQL: rateLimit('30/min'),
  /** Where the processes of the API count: each for itself, or together in the database. */
  RATE_LIMIT_STORE: z
    .enum(['memory', 'postgres'], { message: 'must be memory or postgres' })
    .default('memory'),
  DATABASE_REQUESTS_PER_CLIENT: atLeastOne.default(4),
  CHANGE_STREAMS_PER_CLIENT: atLeastOne.default(50),
  CHANGE_STREAMS: atLeastOne.default(5_000),
  /** The catalogue as the two roles of the SQL console; without them it says what is missing. */
  CONSOLE_READ_DATABASE_URL: postgresUrl.optional(),
  CONSOLE_WRITE_DATABASE_URL: postgresUrl.optional(),
  WEB_ROOT: z.string().optional(),
  ALLOW_SANDBOX: z.enum(['yes', 'no']).default('no'),
  ALLOW_HTTP: z.enum(['yes', 'no']).default('no'),
});

const password = z
  .string()
  .regex(
    /^[A-Za-z0-9._~-]{16,200}$/,
    'must have at least 16 characters, which may be letters, digits and -._~',
  )
  .optional();

const migration = base.pick({ LOG_LEVEL: true }).extend({
  MIGRATION_DATABASE_URL: postgresUrl,
  MIGRATION_CATALOGUE_DATABASE_URL: postgresUrl,
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,39}$/, 'must consist of lower-case letters, digits and _')
    .default('tapedeck'),
  API_DATABASE_PASSWORD: password,
  PROJECTOR_DATABASE_PASSWORD: password,
  /** Of both roles of the SQL console; without one they are not created. */
  CONSOLE_DATABASE_PASSWORD: password,
  MIGRATION_OWNS_SERVER: z.enum(['yes', 'no']).default('no'),
});

export type Config = Readonly<z.infer<typeof base>>;
export type DatabaseUrls = Pick<Config, 'DATABASE_URL' | 'CATALOGUE_DATABASE_URL'>;
export type MigrationConfig = Readonly<z.infer<typeof migration>>;
export type PaymentsConfig = Readonly<z.infer<typeof payments>>;
export type ProjectorConfig = Readonly<z.infer<typeof projector>>;
export type ApiConfig = Readonly<
  z.infer<typeof api> & {
    /** The origin at which browsers reach the product, without a slash at the end. */
    publicOrigin: string;
    /** All origins of this instance: on a loopback address both names, otherwise the public origin. */
    origins: readonly string[];
  }
>;

/**
 * The environment variables that each process knows, for whoever starts it.
 * @public
 */
export const variablesOf = {
  api: Object.keys(api.shape),
  projector: Object.keys(projector.shape),
  migrate: Object.keys(migration.shape),
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

const parse = <Schema extends z.ZodType>(schema: Schema, env: Environment): z.infer<Schema> => {
  const known = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(known);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = String(issue?.path[0] ?? 'environment');
  const problem = known[name] === undefined ? 'is missing' : (issue?.message ?? 'is wrong');
  throw new DomainError('invalid', 'BAD_CONFIGURATION', `The environment variable ${name} ${problem}.`);
};

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const isLoopback = (url: string): boolean => loopbackNames.has(new URL(url).hostname);

const originsOf = (publicOrigin: string): readonly string[] => {
  if (!isLoopback(publicOrigin)) return [publicOrigin];
  const { protocol, port: number } = new URL(publicOrigin);
  const suffix = number === '' ? '' : `:${number}`;
  return ['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}${suffix}`);
};

/** Stand-ins sign in any account and take no money: the API must not use them where others reach it (docs/product-decisions.md#exposed-stand-ins). */
const refuseExposedSandbox = (config: ApiConfig): void => {
  const exposed = !loopbackNames.has(config.HOST) || !isLoopback(config.publicOrigin);
  if (!exposed || config.ALLOW_SANDBOX === 'yes') return;
  const standIns = {
    OIDC_ISSUER: config.OIDC_ISSUER,
    STRIPE_API_URL: config.STRIPE_API_URL,
    SMTP_URL: config.SMTP_URL,
    CLOCK_URL: config.CLOCK_URL,
  };
  const found = Object.entries(standIns).find(([, url]) => url !== undefined && isLoopback(url));
  if (!found) return;
  throw new DomainError(
    'invalid',
    'SANDBOX_EXPOSED',
    `${found[0]} is a stand-in on a loopback address while HOST or PUBLIC_ORIGIN is public: configure the real service, or set ALLOW_SANDBOX=yes.`,
  );
};

/** Over http everybody on the way reads the sessions: only within this machine there is nobody on the way. */
const refuseExposedHttp = ({ publicOrigin, ALLOW_HTTP }: ApiConfig): void => {
  const isSafe = new URL(publicOrigin).protocol === 'https:' || isLoopback(publicOrigin);
  if (isSafe || ALLOW_HTTP === 'yes') return;
  throw new DomainError(
    'invalid',
    'HTTP_EXPOSED',
    'PUBLIC_ORIGIN is an http address beyond this machine, over which sessions can be read: make it https behind a proxy with TLS, or set ALLOW_HTTP=yes.',
  );
};

const refuseTwoCredentials = ({ ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: key }: Config): void => {
  if (key === undefined || (url !== undefined && new URL(url).username === '')) return;
  const problem =
    url === undefined
      ? 'is set without ELASTICSEARCH_URL'
      : 'is set while ELASTICSEARCH_URL contains a user: remove one of the two';
  throw new DomainError(
    'invalid',
    'BAD_CONFIGURATION',
    `The environment variable ELASTICSEARCH_API_KEY ${problem}.`,
  );
};

/** @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const migrationConfig = (env: Environment): MigrationConfig => Object.freeze(parse(migration, env));

/** Of a program that works on the tape and ends. @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const taskConfig = (env: Environment): Config => {
  const config = Object.freeze(parse(base, env));
  refuseTwoCredentials(config);
  return config;
};

/** @throws DomainError BAD_CONFIGURATION: one sentence that names the variable. */
export const projectorConfig = (env: Environment): ProjectorConfig => {
  const config = Object.freeze(parse(projector, env));
  refuseTwoCredentials(config);
  return config;
};

/** @throws DomainError BAD_CONFIGURATION, SANDBOX_EXPOSED, HTTP_EXPOSED: one sentence that names the variable. */
export const apiConfig = (env: Environment): ApiConfig => {
  const parsed = parse(api, env);
  // Not linear: configuration.
  const publicOrigin = (parsed.PUBLIC_ORIGIN ?? `http://localhost:${parsed.PORT}`).replace(/\/+$/, '');
  const config = Object.freeze({ ...parsed, publicOrigin, origins: originsOf(publicOrigin) });
  refuseExposedSandbox(config);
  refuseExposedHttp(config);
  refuseTwoCredentials(config);
  return config;
};
