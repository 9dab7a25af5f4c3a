import { lookup } from 'node:dns/promises';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** A place on the network that a page may load from. `isPlain`: by http, otherwise by https. */
export type Destination = Readonly<{ host: string; port: number; isPlain: boolean }>;

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type Destinations = Readonly<{
  /** Whether a page may ask it, before its name is resolved. */
  isAllowed: (destination: Destination) => boolean;
  /**
   * The address to connect to: the one that was checked, so that a name that leads elsewhere the next time changes nothing.
   * Undefined when it must not be reached.
   */
  addressOf: (destination: Destination) => Promise<string | undefined>;
}>;

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an origin is a stand-in on this machine. */
export const isLoopbackOrigin = (origin: string): boolean => loopbackNames.has(new URL(origin).hostname);

export const destinationOf = (url: URL): Destination => ({
  host: url.hostname,
  port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  isPlain: url.protocol === 'http:',
});

const keyOf = ({ host, port, isPlain }: Destination): string =>
  `${isPlain ? 'http' : 'https'} ${host}:${port}`;

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/**
 * The charting site and the hosts of its resources: public addresses only, except for the one charting site that is
 * configured on a loopback address.
 */
export const createDestinations = (
  chartOrigin: string,
  resourceOrigins: readonly string[],
  resolve: Resolve = systemResolve,
): Destinations => {
  const site = keyOf(destinationOf(new URL(chartOrigin)));
  const allowed = new Set([site, ...resourceOrigins.map((origin) => keyOf(destinationOf(new URL(origin))))]);
  const standIn = isLoopbackOrigin(chartOrigin) ? site : undefined;
  const isAllowed = (destination: Destination): boolean => allowed.has(keyOf(destination));
  return {
    isAllowed,
    addressOf: async (destination) => {
      if (!isAllowed(destination)) return undefined;
      const addresses = await resolve(withoutBrackets(destination.host)).catch(() => []);
      const mayReach = keyOf(destination) === standIn ? isLoopbackAddress : isPublicAddress;
      return addresses.every(mayReach) ? addresses[0] : undefined;
    },
  };
};
