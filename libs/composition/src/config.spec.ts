import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import { raisedLimits } from '@tapedeck/platform/testing';
import { apiConfig, placeholders, projectorConfig, settings, taskConfig } from './config.ts';

const valid = {
  ...placeholders,
  DATABASE_URL: 'postgres://u:p@db:5432/tapedeck',
  CATALOGUE_DATABASE_URL: 'postgres://u:p@db:5432/catalogue',
  PERSONAL_DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
  SESSION_SECRET: 'x'.repeat(32),
  OIDC_ISSUER: 'http://127.0.0.1:9000',
};

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return (error as DomainError).message;
  }
  throw new Error('The configuration was accepted.');
};

describe('apiConfig', () => {
  it('counts both names of a loopback address as own origins', () => {
    const config = apiConfig({ ...valid, PORT: '4100' });
    expect(config.publicOrigin).toBe('http://localhost:4100');
    expect(config.origins).toEqual(['http://localhost:4100', 'http://127.0.0.1:4100']);
  });

  it.each([
    [{ DATABASE_URL: undefined }, 'The environment variable DATABASE_URL is missing.'],
    [{ DATABASE_URL: '' }, 'The environment variable DATABASE_URL is missing.'],
    [
      { DATABASE_URL: 'mysql://x/y' },
      'The environment variable DATABASE_URL must look like postgres://user:password@host:5432/database.',
    ],
    [{ PORT: 'http' }, 'The environment variable PORT must be a port number.'],
    [
      { PERSONAL_DATA_KEY: 'short' },
      'The environment variable PERSONAL_DATA_KEY must be 32 bytes in base64.',
    ],
    [
      { SESSION_SECRET: 'short' },
      'The environment variable SESSION_SECRET must have at least 32 characters.',
    ],
    [
      { RATE_LIMIT_WRITES: '240' },
      'The environment variable RATE_LIMIT_WRITES must be a number of requests per s, min or h, such as 240/min.',
    ],
    [
      { RATE_LIMIT_READS: '0/min' },
      'The environment variable RATE_LIMIT_READS must be a number of requests per s, min or h, such as 240/min.',
    ],
    [{ RATE_LIMIT_STORE: 'redis' }, 'The environment variable RATE_LIMIT_STORE must be memory or postgres.'],
    [
      { STRIPE_SECRET_KEY: 'pk_live_1' },
      'The environment variable STRIPE_SECRET_KEY must be a secret key of Stripe, such as sk_live_….',
    ],
    [
      { STRIPE_WEBHOOK_SECRET: 'a,b,c' },
      'The environment variable STRIPE_WEBHOOK_SECRET must be one secret, or the old and the new one separated by a comma.',
    ],
    [{ CHANGE_STREAMS: 'many' }, 'The environment variable CHANGE_STREAMS must be a number.'],
    [
      { DATABASE_REQUESTS_PER_CLIENT: '0' },
      'The environment variable DATABASE_REQUESTS_PER_CLIENT must be at least 1.',
    ],
    [
      { ELASTICSEARCH_URL: 'elastic:9200' },
      'The environment variable ELASTICSEARCH_URL must be an http or https address.',
    ],
    [
      { ELASTICSEARCH_INDEX: 'Tapedeck_1' },
      'The environment variable ELASTICSEARCH_INDEX must consist of lower-case letters, digits and hyphens.',
    ],
    [
      { ELASTICSEARCH_API_KEY: 'key' },
      'The environment variable ELASTICSEARCH_API_KEY is set without ELASTICSEARCH_URL.',
    ],
    [
      { ELASTICSEARCH_API_KEY: 'key', ELASTICSEARCH_URL: 'http://user:word@elastic:9200' },
      'The environment variable ELASTICSEARCH_API_KEY is set while ELASTICSEARCH_URL contains a user: remove one of the two.',
    ],
    [{ ENTITLEMENTS: 'closed' }, 'The environment variable ENTITLEMENTS must be open or advertised.'],
  ])('refuses %j with a sentence that names the variable', (change, sentence) => {
    expect(refusal(() => apiConfig({ ...valid, ...change }))).toBe(sentence);
  });

  it('refuses the sandbox when the API is reachable from elsewhere, unless it is allowed', () => {
    expect(refusal(() => apiConfig({ ...valid, HOST: '0.0.0.0' }))).toMatch(/ALLOW_SANDBOX=yes/);
    expect(refusal(() => apiConfig({ ...valid, PUBLIC_ORIGIN: 'https://tapedeck.example' }))).toMatch(
      /stand-in/,
    );
    expect(apiConfig({ ...valid, HOST: '0.0.0.0', ALLOW_SANDBOX: 'yes' }).HOST).toBe('0.0.0.0');
    const real = { OIDC_ISSUER: 'https://id.example', SMTP_URL: 'smtps://mail.example', STRIPE_API_URL: '' };
    expect(apiConfig({ ...valid, ...real, HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0');
    for (const [name, url] of [
      ['STRIPE_API_URL', 'http://127.0.0.1:1'],
      ['SMTP_URL', 'smtp://localhost:25'],
      ['CLOCK_URL', 'http://127.0.0.1:1/clock'],
    ] as const)
      expect(refusal(() => apiConfig({ ...valid, ...real, HOST: '0.0.0.0', [name]: url }))).toMatch(
        new RegExp(`^${name} is a stand-in`),
      );
  });

  it('refuses plain http at an address that others can reach, unless it is allowed', () => {
    const provider = { ...valid, ALLOW_SANDBOX: 'yes' };
    for (const origin of ['http://tapedeck.example', 'http://192.0.2.7:4000', 'HTTP://127.0.0.1.example/'])
      expect(refusal(() => apiConfig({ ...provider, PUBLIC_ORIGIN: origin }))).toBe(
        'PUBLIC_ORIGIN is an http address beyond this machine, over which sessions can be read: make it https behind a proxy with TLS, or set ALLOW_HTTP=yes.',
      );
    const allowed = { ...provider, PUBLIC_ORIGIN: 'http://tapedeck.example', ALLOW_HTTP: 'yes' };
    expect(apiConfig(allowed).publicOrigin).toBe('http://tapedeck.example');
    for (const origin of [
      'https://tapedeck.example',
      'http://localhost:4000',
      'http://127.0.0.1:4000',
      'http://[::1]:4000',
    ])
      expect(apiConfig({ ...provider, PUBLIC_ORIGIN: origin }).publicOrigin).toBe(origin);
  });
});

describe('projectorConfig', () => {
  it('requires no variables of the API', () => {
    const ofApi = /^(?:SESSION|OIDC|STRIPE_WEBHOOK)/;
    const needed = Object.entries(valid).filter(([name]) => !ofApi.test(name));
    expect(projectorConfig(Object.fromEntries(needed)).LOG_LEVEL).toBe('info');
  });
});

describe('taskConfig', () => {
  it('requires neither Stripe nor a mail server', () => {
    const { DATABASE_URL, CATALOGUE_DATABASE_URL, PERSONAL_DATA_KEY } = valid;
    expect(taskConfig({ DATABASE_URL, CATALOGUE_DATABASE_URL, PERSONAL_DATA_KEY }).LOG_LEVEL).toBe('info');
  });
});

describe('raisedLimits', () => {
  it('raise the limits of all modules', () => {
    const limits = Object.keys(settings).filter((name) => /^RATE_LIMIT_(?!STORE)/.test(name));
    expect(Object.keys(raisedLimits)).toEqual(expect.arrayContaining(limits));
  });
});
