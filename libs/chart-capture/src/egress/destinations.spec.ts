import { describe, expect, it } from '@jest/globals';
import { createDestinations, destinationOf, type Destinations } from './destinations.ts';

const addressOf = (destinations: Destinations, url: string): Promise<string | undefined> =>
  destinations.addressOf(destinationOf(new URL(url)));

const resolvesTo =
  (...addresses: readonly string[]) =>
  () =>
    Promise.resolve(addresses);

const site = 'https://charts.example';

describe('the destinations of a page', () => {
  it('are the charting site and the origins of its resources, and nothing else', async () => {
    const destinations = createDestinations(site, ['https://static.example'], resolvesTo('8.8.8.8'));
    for (const url of [
      'https://charts.example/x',
      'https://charts.example:443/',
      'https://static.example/a.js',
    ])
      expect(await addressOf(destinations, url)).toBe('8.8.8.8');
    for (const url of [
      'http://charts.example/',
      'https://charts.example:8443/',
      'https://www.charts.example/',
      'https://charts.example.evil.example/',
      'https://charts.example./',
      'https://8.8.8.8/',
      'https://localhost/',
      'http://127.0.0.1/',
    ])
      expect(await addressOf(destinations, url)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::ffff:169.254.169.254'],
    ['64:ff9b::a9fe:a9fe'],
    ['fd00::1'],
    ['0.0.0.0'],
  ])('are refused when their name leads to %s, also among others', async (address) => {
    expect(await addressOf(createDestinations(site, [], resolvesTo(address)), site)).toBeUndefined();
    expect(
      await addressOf(createDestinations(site, [], resolvesTo('8.8.8.8', address)), site),
    ).toBeUndefined();
  });

  it('are refused when their name leads nowhere, or cannot be resolved', async () => {
    expect(await addressOf(createDestinations(site, [], resolvesTo()), site)).toBeUndefined();
    const failing = createDestinations(site, [], () => Promise.reject(new Error('SERVFAIL')));
    expect(await addressOf(failing, site)).toBeUndefined();
  });

  it('are resolved for each connection: a name that leads to this machine the second time is refused then', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const rebinding = createDestinations(site, [], () => Promise.resolve(answers.shift() ?? []));
    expect(await addressOf(rebinding, site)).toBe('8.8.8.8');
    expect(await addressOf(rebinding, site)).toBeUndefined();
  });

  it('are on this machine only for a stand-in that is configured there, at its port', async () => {
    const destinations = createDestinations('http://127.0.0.1:4000', ['https://static.example']);
    expect(await addressOf(destinations, 'http://127.0.0.1:4000/script/x/')).toBe('127.0.0.1');
    for (const url of [
      'http://127.0.0.1:4001/',
      'https://127.0.0.1:4000/',
      'http://localhost:4000/',
      'http://[::1]:4000/',
    ])
      expect(await addressOf(destinations, url)).toBeUndefined();
    const named = createDestinations('http://localhost:4000', [], resolvesTo('192.168.0.1'));
    expect(await addressOf(named, 'http://localhost:4000/')).toBeUndefined();
    const resource = createDestinations('http://127.0.0.1:4000', [site], resolvesTo('127.0.0.1'));
    expect(await addressOf(resource, site)).toBeUndefined();
  });
});
