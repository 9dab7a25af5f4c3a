import { describe, expect, it } from '@jest/globals';
import { sandboxOptions } from './environment.ts';

const env = {
  SANDBOX_REDIRECT_ORIGINS: 'http://localhost:4000, http://127.0.0.1:4000/',
  OIDC_CLIENT_ID: 'tapedeck',
  OIDC_CLIENT_SECRET: 'secret',
};
const optionsOf = (changes: Record<string, string> = {}): ReturnType<typeof sandboxOptions> =>
  sandboxOptions({ ...env, ...changes }, () => undefined);

describe('sandboxOptions', () => {
  it('reads the port and the origins of the product', () => {
    expect(optionsOf()).toMatchObject({
      port: 0,
      redirectOrigins: ['http://localhost:4000', 'http://127.0.0.1:4000'],
    });
  });

  it.each([
    ['SANDBOX_PORT', '65536'],
    ['SANDBOX_PORT', 'four'],
    ['SANDBOX_REDIRECT_ORIGINS', 'localhost:4000'],
    ['SANDBOX_REDIRECT_ORIGINS', 'http://localhost:4000/path'],
    ['SANDBOX_REDIRECT_ORIGINS', 'javascript:alert(1)'],
    ['OIDC_CLIENT_SECRET', ''],
  ])('refuses the variable %s with the value %j in one sentence', (name, value) => {
    expect(() => optionsOf({ [name]: value })).toThrow(
      new RegExp(`^The environment variable ${name} (is missing|must be .+)\\.$`),
    );
  });
});
