import { describe, expect, it } from '@jest/globals';
import { createOpenIdClient } from './openid-client.ts';

const clientOf = (issuer: string): ReturnType<typeof createOpenIdClient> =>
  createOpenIdClient({ issuer, clientId: 'a', clientSecret: 'b', onFailure: () => undefined });

describe('createOpenIdClient', () => {
  it.each(['https://provider.example', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    'accepts the issuer %s',
    (issuer) => expect(() => clientOf(issuer)).not.toThrow(),
  );

  it.each(['http://provider.example', 'http://localhost.evil.example', 'http://192.168.1.1'])(
    'refuses the issuer %s',
    (issuer) =>
      expect(() => clientOf(issuer)).toThrow(/^The environment variable OIDC_ISSUER must be an https/),
  );
});
