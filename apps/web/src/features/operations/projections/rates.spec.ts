import { describe, expect, it } from '@jest/globals';
import type { ProjectionsPage, Consumer } from '@tapedeck/operations/contract';
import { addSample, mainKey, progressOf, rateOf, standbyKey, type Sample } from './rates.ts';

const consumer = (eventsRead: number, standbyRead: number | null): Consumer => ({
  name: 'favourites',
  kind: 'projection',
  database: 'tapedeck',
  version: 2,
  status: 'live',
  position: '10',
  lagEvents: 0,
  lagSeconds: 0,
  eventsRead,
  parked: 0,
  parkedKeys: [],
  lease: null,
  lastError: null,
  change: null,
  standby:
    standbyRead === null
      ? null
      : { position: '1', eventsRead: standbyRead, lagEvents: 9, retiredAt: null, lastError: null },
});

const pageAt = (seconds: number, one: Consumer): ProjectionsPage => ({
  readAt: new Date(seconds * 1_000).toISOString(),
  head: '10',
  consumers: [one],
});

const samples = (...pages: readonly ProjectionsPage[]): readonly Sample[] =>
  pages.reduce(addSample, [] as readonly Sample[]);

describe('a rate', () => {
  const key = mainKey(consumer(0, null));

  it('is measured between two samples, and unknown with one', () => {
    expect(rateOf(samples(pageAt(0, consumer(100, null))), key)).toBeNull();
    const two = samples(pageAt(0, consumer(100, null)), pageAt(2, consumer(150, null)));
    expect(rateOf(two, key)).toBe(25);
    expect(addSample(two, pageAt(2, consumer(150, null)))).toBe(two);
  });

  it('forgets samples that are older than the window', () => {
    const pages = [0, 1, 2, 20].map((at) => pageAt(at, consumer(at === 20 ? 1_000 : at, null)));
    expect(rateOf(samples(...pages), key)).toBeNull();
    expect(rateOf(samples(...pages, pageAt(22, consumer(1_010, null))), key)).toBe(5);
  });

  it('is that of each build, and unknown after they were swapped', () => {
    const before = [pageAt(0, consumer(100, 0)), pageAt(1, consumer(100, 40))];
    expect(rateOf(samples(...before), standbyKey(consumer(0, 0)))).toBe(40);
    expect(rateOf(samples(...before, pageAt(2, consumer(60, 100))), key)).toBeNull();
  });
});

describe('the progress of a rebuild', () => {
  it('is of the events that were there when it began, with the time that remains at its rate', () => {
    expect(progressOf(250, 1_000, 50)).toEqual({ read: 250, toRead: 1_000, share: 0.25, secondsLeft: 15 });
    expect(progressOf(0, 1_000, null)).toMatchObject({ share: 0, secondsLeft: null });
    expect(progressOf(1_010, 1_000, 50)).toMatchObject({ read: 1_000, share: 1, secondsLeft: 0 });
    expect(progressOf(0, 0, null)).toMatchObject({ share: 1, secondsLeft: 0 });
  });
});
