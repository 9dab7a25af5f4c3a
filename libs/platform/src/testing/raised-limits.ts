import { keyedLimitVariables, rateLimitVariables } from '../http/rate-limits.ts';

/** Environment variables under which no test meets a limit of one client. */
export const raisedLimits: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values({ ...rateLimitVariables, ...keyedLimitVariables }).map((name) => [name, '1000000/s']),
  ),
  DATABASE_REQUESTS_PER_CLIENT: '1000',
};
