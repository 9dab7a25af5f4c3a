import { describe, expect, it } from '@jest/globals';
import { sandboxOptions } from './environment.ts';

const env = {
  SANDBOX_REDIRECT_ORIGINS: 'http://localhost:4000, http://127.0.0.1:4000/',
  OIDC_CLIENT_ID: 'tapedeck',
  OIDC_CLIENT_SECRET: 'secret',
};
const optionsOf = (changes: Record<string, string> = {}): ReturnType<typeof sandboxOptions> =>
  sandboxOptions({ ...env, ...changes }, () => undefined);

describe('the environment', () => {
  it('names the places that sign-in may lead back to', () => {
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
  ])('is refused in one sentence when %s is %j', (name, value) => {
    expect(() => optionsOf({ [name]: value })).toThrow(
      new RegExp(`^The environment variable ${name} (is missing|must be .+)\\.$`),
    );
  });
});
