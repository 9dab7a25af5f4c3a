import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';
import type { Person } from '../domain/decide.ts';

const maxNameLength = 100;
const maxUrlLength = 2_048;

const name = z
  .string()
  // Control and format characters would let one name look like another.
  .transform((text) =>
    text
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim()
      .slice(0, maxNameLength),
  )
  .transform((text) => text.replaceAll(/\p{Cs}/gu, '\ufffd') || null)
  .nullish()
  .catch(null);

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().catch(''),
  // Some providers send the text 'true'.
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false),
  given_name: name,
  family_name: name,
  name,
  picture: z
    .url({ protocol: /^https$/ })
    .max(maxUrlLength)
    .nullish()
    .catch(null),
});

const splitName = (whole: string): readonly [string, string | null] => {
  const at = whole.lastIndexOf(' ');
  return at < 0 ? [whole, null] : [whole.slice(0, at), whole.slice(at + 1)];
};

type ClaimSet = Readonly<Record<string, unknown>>;

/**
 * The claims of the id token and of the provider's user info, which has precedence. Whether the address is verified is
 * taken from where the address is: the one may be of an address, the other of another.
 */
export const mergedClaims = (idToken: ClaimSet, userInfo: ClaimSet): ClaimSet => {
  const { email, email_verified } = userInfo['email'] === undefined ? idToken : userInfo;
  return { ...idToken, ...userInfo, email, email_verified };
};

/**
 * The person whom a provider's claims describe. Claims of a wrong form are dropped; a missing e-mail address is refused
 * by the decider.
 * @throws DomainError SIGN_IN_FAILED when the claims name no subject
 */
export const personOf = (claims: Readonly<Record<string, unknown>>): Person => {
  const parsed = Claims.safeParse(claims);
  if (!parsed.success) {
    throw new DomainError(
      'invalid',
      'SIGN_IN_FAILED',
      'The sign-in provider did not say who you are: sign in again.',
    );
  }
  const { sub, email, email_verified, given_name, family_name, name, picture } = parsed.data;
  const [first, last] = name && !given_name && !family_name ? splitName(name) : [given_name, family_name];
  return {
    subject: sub,
    email,
    emailVerified: email_verified,
    firstName: first ?? null,
    lastName: last ?? null,
    profileImageUrl: picture ?? null,
  };
};
