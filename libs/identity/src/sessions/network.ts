import { createHmac } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { AccountId } from '@tapedeck/kernel';

const listOf = (ranges: readonly (readonly [address: string, bits: number])[]): BlockList => {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
};

const ofThisComputer = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);
/** Networks at home and in companies, links, and those that a provider shares among its customers. */
const ofPrivateNetworks = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
]);

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** IPv4 also where it is written as IPv6; undefined for what is no address. */
const plainAddress = (address: string): string | undefined => {
  const [withoutZone = ''] = address.replace(mapped, '').split('%');
  return isIP(withoutZone) === 0 ? undefined : withoutZone;
};

/** The country of a public address as two letters; null where it is not known. */
export type CountryOf = (address: string) => string | null;

/**
 * All that is kept of an address: `this-computer`, `private-network`, or a country such as `country:NO`; null for a public
 * address whose country is not known.
 */
export const placeOf = (given: string, countryOf: CountryOf): string | null => {
  const address = plainAddress(given);
  if (address === undefined) return null;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (ofThisComputer.check(address, family)) return 'this-computer';
  if (ofPrivateNetworks.check(address, family)) return 'private-network';
  const country = countryOf(address);
  return country === null ? null : `country:${country}`;
};

const groupsOf = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
};

/** The network of an address: what one home or company usually has. */
const networkOf = (address: string): string =>
  isIP(address) === 6
    ? groupsOf(address)
        .slice(0, 3)
        .map((group) => Number.parseInt(group, 16).toString(16))
        .join(':')
    : address.split('.').slice(0, 3).join('.');

/**
 * By it an account's sessions in one network are known as such: it tells nothing of the address without the secret, and is
 * another one for each account.
 */
export const networkKeyOf = (given: string, account: AccountId, secret: string): Buffer | null => {
  const address = plainAddress(given);
  return address === undefined
    ? null
    : createHmac('sha256', secret)
        .update(`network of a session ${account} ${networkOf(address)}`)
        .digest()
        .subarray(0, 16);
};

const countries = new Intl.DisplayNames(['en'], { type: 'region' });

/** @example placeName('country:NO') // 'Norway' */
export const placeName = (place: string | null): string | null => {
  if (place === null) return null;
  if (place === 'this-computer') return 'this computer';
  if (place === 'private-network') return 'a private network';
  return countries.of(place.slice('country:'.length)) ?? null;
};
