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
