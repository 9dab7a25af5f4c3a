import { BlockList, isIP } from 'node:net';

const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix = ''] = range.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

/** Of IANA's registry of special addresses: what is not routed on the internet, or leads to something else. */
const notPublic4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** All addresses that IANA has given to the internet; what stands for IPv4 addresses is outside of it. */
const global6 = listOf('ipv6', ['2000::/3']);
/** Teredo and other protocols, documentation, 6to4, the range of the AS112 servers. */
const notPublic6 = listOf('ipv6', [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  ({ 0: undefined, 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address) as 0 | 4 | 6];

/** Whether an IP address is on the internet. Anything that is no address is not. */
export const isPublicAddress = (address: string): boolean => {
  const family = familyOf(address);
  if (family === undefined) return false;
  if (family === 'ipv4') return !notPublic4.check(address, family);
  return global6.check(address, family) && !notPublic6.check(address, family);
};

/** Whether an IP address is of this machine. */
export const isLoopbackAddress = (address: string): boolean => {
  const family = familyOf(address);
  return family !== undefined && loopback.check(address, family);
};
