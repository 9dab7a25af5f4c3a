import { readFileSync } from 'node:fs';
import { messageOf } from '@tapedeck/kernel';
import { Reader, type Response } from 'mmdb-lib';
import * as z from 'zod';
import type { CountryOf } from './network.ts';

const Code = z.string().regex(/^[A-Z]{2}$/u);
/** As MaxMind and DB-IP have it, and as ip-location-db has it. */
const Found = z.union([
  z.object({ country: z.object({ iso_code: Code }) }).transform(({ country }) => country.iso_code),
  z.object({ country_code: Code }).transform(({ country_code }) => country_code),
]);

/** Looks up the countries of addresses in an MMDB file, which is read once. @throws Error for a file that is none */
export const openCountryDatabase = (path: string): CountryOf => {
  if (path === '') return () => null;
  let reader: Reader<Response>;
  try {
    reader = new Reader(readFileSync(path));
  } catch (error) {
    throw new Error(`COUNTRY_DATABASE is no MMDB file that can be read: ${path} (${messageOf(error)})`, {
      cause: error,
    });
  }
  return (address) => {
    try {
      return Found.safeParse(reader.get(address)).data ?? null;
    } catch {
      // A database of IPv4 alone cannot be asked about IPv6.
      return null;
    }
  };
};
