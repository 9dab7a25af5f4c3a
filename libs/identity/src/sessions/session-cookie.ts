import type { IncomingHttpHeaders } from 'node:http';
import type { IdentityConfig } from '../settings.ts';

export type SessionCookie = Readonly<{
  name: string;
  options: Readonly<{ path: '/'; httpOnly: true; sameSite: 'lax'; secure: boolean }>;
}>;

/** Browsers share cookies between ports: on plain http the name contains the port, so that instances do not collide. */
export const sessionCookie = (config: Pick<IdentityConfig, 'PORT' | 'publicOrigin'>): SessionCookie => {
  const secure = config.publicOrigin.startsWith('https:');
  return {
    name: secure ? '__Host-tapedeck' : `tapedeck-${config.PORT}`,
    // Lax, not strict: the provider returns the browser by a navigation from another site.
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
};

type CookieConfig = Parameters<typeof sessionCookie>[0];

/** Whether a request comes with the cookie of a session, which may be over: for pages that are sent without a look-up. */
export const hasSessionCookie = (
  config: CookieConfig,
): ((request: Readonly<{ headers: IncomingHttpHeaders }>) => boolean) => {
  const beginning = `${sessionCookie(config).name}=`;
  return ({ headers }) =>
    (headers.cookie ?? '').split(';').some((cookie) => cookie.trimStart().startsWith(beginning));
};
