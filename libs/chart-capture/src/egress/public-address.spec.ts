import { describe, expect, it } from '@jest/globals';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

const notPublic = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.170',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%lo',
  'ff02::1',
];

const publicOnes = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'];

const noAddresses = ['', 'localhost', '127.1', '0x7f.1', '2130706433', '017700000001', '1.2.3', '1.2.3.4.5'];

describe('isPublicAddress', () => {
  it.each(notPublic)('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(publicOnes)('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(noAddresses)('refuses "%s", which is no address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

describe('isLoopbackAddress', () => {
  it('accepts addresses of this machine only', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1'].map(isLoopbackAddress)).toEqual([true, true, true]);
    const others = ['::ffff:10.0.0.1', '0.0.0.0', '::', '169.254.169.254', 'localhost', '10.0.0.1'];
    expect(others.filter(isLoopbackAddress)).toEqual([]);
  });
});
