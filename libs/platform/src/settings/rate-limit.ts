import * as z from 'zod';

export type RateLimit = Readonly<{ max: number; windowMs: number }>;

const windowsMs = { s: 1_000, min: 60_000, h: 3_600_000 } as const;
// Not linear: configuration.
const rateLimitPattern = /^(?<max>[1-9]\d{0,6})\/(?<unit>s|min|h)$/;

/** Such as `240/min`: requests of one session, or of one address without a session. */
export const rateLimit: z.ZodType<RateLimit> = z
  .string()
  .refine((text) => rateLimitPattern.test(text), {
    message: 'must be a number of requests per s, min or h, such as 240/min',
    abort: true,
  })
  .transform((text) => {
    const { max, unit } = rateLimitPattern.exec(text)?.groups ?? {};
    return { max: Number(max), windowMs: windowsMs[unit as keyof typeof windowsMs] };
  });

/** Of a setting that limits the rate of requests; its name begins with `RATE_LIMIT_`. */
export const limitedTo = <const ByDefault extends string>(
  byDefault: ByDefault,
): Readonly<{ schema: z.ZodType<RateLimit>; byDefault: ByDefault; readBy: readonly ['api'] }> => ({
  schema: rateLimit,
  byDefault,
  readBy: ['api'],
});
