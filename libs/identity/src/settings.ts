import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { limitedTo } from '@tapedeck/platform/rate-limit';
import { httpUrl, httpUrlOrNone, text } from '@tapedeck/platform/setting-values';
import type { ApiConfig } from '@tapedeck/platform/settings';
import * as z from 'zod';

/** Such as `Free member=free@example.com,Admin=admin@example.com`. */
const signInHints = z.string().transform((given) =>
  given
    .split(',')
    .filter((part) => part.includes('='))
    .map((part) => {
      const at = part.indexOf('=');
      return { label: part.slice(0, at).trim(), email: part.slice(at + 1).trim() };
    }),
);

export const identitySettings = defineSettings({
  OIDC_ISSUER: {
    schema: httpUrl,
    readBy: ['api'],
    isOutsideService: true,
    // The form for signing out redirects to the provider.
    contentSource: 'form-action',
    description: 'the OpenID provider',
    placeholder: 'http://127.0.0.1:1',
  },
  OIDC_ISSUER_NAME: {
    schema: text.optional(),
    readBy: ['api'],
    otherwise: 'the issuer',
    description: 'the name under which accounts of this provider are stored, so that its address can change',
  },
  OIDC_CLIENT_ID: { schema: text, readBy: ['api'], description: 'of the OpenID provider', placeholder: 'x' },
  OIDC_CLIENT_SECRET: {
    schema: text,
    readBy: ['api'],
    isSecret: true,
    description: 'of the OpenID provider',
    placeholder: 'x',
  },
  BILLING_PORTAL_URL: {
    schema: httpUrlOrNone,
    byDefault: '',
    readBy: ['api'],
    description: 'page on which members manage their payment',
  },
  SIGN_IN_HINTS: {
    schema: signInHints,
    byDefault: '',
    readBy: ['api'],
    description: 'one-click accounts on the start page, `Label=e-mail,…`: with the stand-in only',
  },
  COUNTRY_DATABASE: {
    schema: z.string(),
    byDefault: '',
    readBy: ['api'],
    description: 'MMDB file with the countries of addresses, for the list of own sessions; none without it',
  },
  RATE_LIMIT_SIGN_IN: { ...limitedTo('60/min'), description: 'sign-ins begun' },
  RATE_LIMIT_CALLBACK: { ...limitedTo('60/min'), description: 'answers of the OpenID provider' },
  RATE_LIMIT_PROFILE: { ...limitedTo('20/h'), description: 'profiles completed or updated' },
  RATE_LIMIT_SESSIONS: { ...limitedTo('60/min'), description: 'own sessions listed and ended' },
  RATE_LIMIT_DELETION: { ...limitedTo('5/h'), description: 'attempts to delete the account' },
});

/** What the module knows of the configuration of the API. */
export type IdentityConfig = ApiConfig & ConfigOf<typeof identitySettings, 'api'>;
