// What the values of settings look like. A message continues "The environment variable … ".
import * as z from 'zod';

// Not linear: configuration.
export const postgresUrl = z.string().regex(/^postgres(ql)?:\/\/\S+\/\S+$/, {
  message: 'must look like postgres://user:password@host:5432/database',
});

export const httpUrl = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });

export const httpUrlOrNone = z.union([httpUrl, z.literal('')]);

export const smtpUrl = z.url({
  protocol: /^smtps?$/,
  message: 'must look like smtps://user:password@mail.example.com',
});

export const port = z.coerce.number({ message: 'must be a port number' }).int().min(0).max(65_535);

export const text = z.string().min(1);

export const yesOrNo = z.enum(['yes', 'no']);

export const atLeastOne = z.coerce
  .number({ message: 'must be a number' })
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100_000, 'must be at most 100000');

export const days = z.coerce
  .number({ message: 'must be a number of days' })
  .int('must be a whole number of days')
  .min(0, 'must not be negative')
  .max(3_650, 'must be at most 3650 days');

export const amount = z.coerce
  .number({ message: 'must be a number' })
  .int('must be a whole number of the smallest unit, such as cents')
  .min(0, 'must not be negative');

export const keyOf32Bytes = z
  .string()
  .transform((encoded) => Buffer.from(encoded, 'base64'))
  .refine((key) => key.length === 32, 'must be 32 bytes in base64');

export const databasePassword = z
  .string()
  .regex(
    /^[A-Za-z0-9._~-]{16,200}$/,
    'must have at least 16 characters, which may be letters, digits and -._~',
  )
  .optional();

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const isSiteOrigin = (origin: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.origin !== origin) return false;
  if (loopbackNames.has(url.hostname)) return /^https?:$/.test(url.protocol);
  // Not linear: the value of a setting, which is short.
  const hasName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname);
  return url.protocol === 'https:' && url.port === '' && hasName;
};

/** An https origin with a name, or a stand-in on this machine. */
export const siteOrigin = z
  .string()
  .refine(
    isSiteOrigin,
    'must be an origin such as https://www.tradingview.com: https, without a port and a path',
  );
export const siteOriginOrNone = z.union([z.literal(''), siteOrigin]);
