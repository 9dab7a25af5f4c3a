import type { ApiConfig } from '@tapedeck/platform/config';

export type SessionCookie = Readonly<{
  name: string;
  options: Readonly<{ path: '/'; httpOnly: true; sameSite: 'lax'; secure: boolean }>;
}>;

/** Cookies know no ports: on plain http the name holds the port, so that two instances do not meet. */
export const sessionCookie = (config: Pick<ApiConfig, 'PORT' | 'publicOrigin'>): SessionCookie => {
  const secure = config.publicOrigin.startsWith('https:');
  return {
    name: secure ? '__Host-tapedeck' : `tapedeck-${config.PORT}`,
    // Lax, not strict: the way back from the provider is a navigation from another site.
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
};
