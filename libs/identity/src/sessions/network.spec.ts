import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountId, derivedId } from '@tapedeck/kernel';
import { countryFile } from '../testing/country-file.ts';
import { openCountryDatabase } from './country-database.ts';
import { networkKeyOf, placeName, placeOf } from './network.ts';

const unknown = (): null => null;
const [ann, bob] = [accountId(derivedId('ann')), accountId(derivedId('bob'))];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapedeck-country-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (content: Buffer): string => {
  const path = join(folder, 'country.mmdb');
  writeFileSync(path, content);
  return path;
};

describe('the place of a session', () => {
  it.each([
    ['127.0.0.1', 'this computer'],
    ['::1', 'this computer'],
    ['::ffff:127.0.0.1', 'this computer'],
    ['192.168.7.9', 'a private network'],
    ['172.31.0.1', 'a private network'],
    ['100.100.0.1', 'a private network'],
    ['fd12:3456::1', 'a private network'],
    ['fe80::1%eth0', 'a private network'],
    ['81.2.69.142', null],
    ['172.32.0.1', null],
    ['2001:db8::1', null],
    ['no address', null],
  ])('of %s is %s, without a database of countries', (address, name) => {
    expect(placeName(placeOf(address, unknown))).toBe(name);
  });

  it('is the country by a database, and nothing for what the database does not know', () => {
    const countryOf = openCountryDatabase(fileWith(countryFile('81.2.69.0', 24, 'GB')));
    expect(placeOf('81.2.69.142', countryOf)).toBe('country:GB');
    expect(placeName('country:GB')).toBe('United Kingdom');
    expect(['81.2.70.1', '2001:db8::1'].map((address) => placeOf(address, countryOf))).toEqual([null, null]);
    expect(placeOf('10.0.0.1', countryOf)).toBe('private-network');
  });

  it('needs a file that is a database', () => {
    expect(() => openCountryDatabase(join(folder, 'absent.mmdb'))).toThrow(
      /^COUNTRY_DATABASE is no MMDB file/,
    );
    expect(() => openCountryDatabase(fileWith(Buffer.from('text')))).toThrow(
      /^COUNTRY_DATABASE is no MMDB file/,
    );
    expect(openCountryDatabase('')('81.2.69.142')).toBeNull();
  });
});

describe('the network of a session', () => {
  const key = (address: string, account = ann, secret = 'secret'): string | undefined =>
    networkKeyOf(address, account, secret)?.toString('hex');

  it.each([
    ['81.2.69.142', '81.2.69.7'],
    ['::ffff:81.2.69.142', '81.2.69.7'],
    ['2001:db8:5::1', '2001:0db8:0005:ffff::9'],
  ])('is the same for %s and %s', (one, other) => {
    expect(key(one)).toBe(key(other));
  });

  it('is another one in another network, of another account, and with another secret', () => {
    const keys = [
      key('81.2.69.142'),
      key('81.2.70.142'),
      key('2001:db8:5::1'),
      key('2001:db8:6::1'),
      key('81.2.69.142', bob),
      key('81.2.69.142', ann, 'other'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key('no address')).toBeUndefined();
  });
});
