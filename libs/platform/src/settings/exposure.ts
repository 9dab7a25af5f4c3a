import { DomainError } from '@tapedeck/kernel';
import type { Settings } from '../config.ts';
import type { ApiConfig, Origins } from './platform-settings.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const isLoopback = (url: string): boolean => loopbackNames.has(new URL(url).hostname);

export const originsOf = ({ PUBLIC_ORIGIN, PORT }: Pick<ApiConfig, 'PUBLIC_ORIGIN' | 'PORT'>): Origins => {
  // Not linear: configuration.
  const publicOrigin = (PUBLIC_ORIGIN ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
  if (!isLoopback(publicOrigin)) return { publicOrigin, origins: [publicOrigin] };
  const { protocol, port } = new URL(publicOrigin);
  const suffix = port === '' ? '' : `:${port}`;
  return {
    publicOrigin,
    origins: ['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}${suffix}`),
  };
};

type Exposure = Pick<ApiConfig, 'HOST' | 'publicOrigin' | 'ALLOW_SANDBOX' | 'ALLOW_HTTP'>;

/**
 * Stand-ins sign in any account and take no money: the API must not use them where others reach it
 * (docs/product-decisions.md#exposed-stand-ins).
 * @throws DomainError SANDBOX_EXPOSED
 */
export const refuseExposedStandIns = (settings: Settings, config: Exposure): void => {
  const exposed = !loopbackNames.has(config.HOST) || !isLoopback(config.publicOrigin);
  if (!exposed || config.ALLOW_SANDBOX === 'yes') return;
  const values: Readonly<Record<string, unknown>> = config;
  const found = Object.entries(settings).find(([name, { isOutsideService }]) => {
    const url = values[name];
    return isOutsideService === true && typeof url === 'string' && url !== '' && isLoopback(url);
  });
  if (!found) return;
  throw new DomainError(
    'invalid',
    'SANDBOX_EXPOSED',
    `${found[0]} is a stand-in on a loopback address while HOST or PUBLIC_ORIGIN is public: configure the real service, or set ALLOW_SANDBOX=yes.`,
  );
};

/**
 * Over http the sessions can be read on the way, except within this machine.
 * @throws DomainError HTTP_EXPOSED
 */
export const refuseExposedHttp = ({ publicOrigin, ALLOW_HTTP }: Exposure): void => {
  const isSafe = new URL(publicOrigin).protocol === 'https:' || isLoopback(publicOrigin);
  if (isSafe || ALLOW_HTTP === 'yes') return;
  throw new DomainError(
    'invalid',
    'HTTP_EXPOSED',
    'PUBLIC_ORIGIN is an http address beyond this machine, over which sessions can be read: make it https behind a proxy with TLS, or set ALLOW_HTTP=yes.',
  );
};
