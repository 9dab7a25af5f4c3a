import { createHash } from 'node:crypto';
import { personas } from '../contract.ts';

/** An account of the provider; the same address always gives the same account. */
export type SandboxAccount = Readonly<{ sub: string; email: string; firstName: string; lastName: string }>;

const maxEmailLength = 254;
// Not linear: the length is checked first.
const emailPattern =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u;

/** The normalised address; undefined when the text is not an e-mail address. */
export const emailOf = (text: string): string | undefined => {
  if (text.length > maxEmailLength) return undefined;
  const email = text.trim().toLowerCase().normalize('NFC');
  return emailPattern.test(email) ? email : undefined;
};

const surnames = ['Abel', 'Brandt', 'Castell', 'Duarte', 'Ekberg', 'Farkas', 'Grieg', 'Hallam'];

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const namesOf = (email: string, digest: Buffer): Pick<SandboxAccount, 'firstName' | 'lastName'> => {
  const persona = personas.find((known) => known.email === email);
  if (persona) return { firstName: persona.firstName, lastName: persona.lastName };
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  const surname = surnames[(digest[0] ?? 0) % surnames.length] ?? 'Abel';
  return {
    firstName: capitalised(words[0] ?? 'Guest'),
    lastName: words.length > 1 ? words.slice(1).map(capitalised).join(' ') : surname,
  };
};

/** `email` is a result of `emailOf`. */
export const accountOf = (email: string): SandboxAccount => {
  const digest = createHash('sha256').update(`tapedeck sandbox ${email}`).digest();
  return { sub: digest.subarray(0, 16).toString('hex'), email, ...namesOf(email, digest) };
};
