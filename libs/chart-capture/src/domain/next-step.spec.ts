import { describe, expect, it } from '@jest/globals';
import { nextStep, type ChartState } from './next-step.ts';

const maxAgeMs = 1_000;
const now = 10_000;
const at = (ms: number): string => new Date(ms).toISOString();
const stepOf = (state: Partial<ChartState>): unknown =>
  nextStep({ figures: 'rising', picture: null, failed: null, ...state }, now, maxAgeMs);

const picture = {
  version: 'a'.repeat(32),
  width: 1_600,
  height: 1_000,
  takenAt: at(now - maxAgeMs),
  figures: 'rising',
  isThere: true,
} as const;
const failed = { failure: 'timeout', retryAt: at(now + 1), figures: 'rising' } as const;

describe('a request for a chart', () => {
  it('shows the picture, also after a later capture has failed', () => {
    expect(stepOf({ picture })).toEqual({ step: 'show', picture });
    expect(stepOf({ picture, failed })).toEqual({ step: 'show', picture });
  });

  it('shows an old picture and renews it, unless that has just failed', () => {
    const old = { ...picture, takenAt: at(now - maxAgeMs - 1) };
    const renewed = { step: 'show-and-renew', picture: old };
    expect(stepOf({ picture: old })).toEqual(renewed);
    expect(stepOf({ picture: old, failed: { ...failed, retryAt: at(now) } })).toEqual(renewed);
    expect(stepOf({ picture: old, failed })).toEqual({ step: 'show', picture: old });
  });

  it('captures when there is none, when its files are lost, and when the figures have changed since', () => {
    expect(stepOf({})).toEqual({ step: 'capture' });
    expect(stepOf({ picture: { ...picture, isThere: false } })).toEqual({ step: 'capture' });
    expect(stepOf({ picture: { ...picture, figures: 'falling' } })).toEqual({ step: 'capture' });
  });

  it('is refused for a while after a failure, but not when the figures have changed since', () => {
    expect(stepOf({ failed })).toEqual({ step: 'refuse', failure: 'timeout', retryAt: at(now + 1) });
    expect(stepOf({ failed: { ...failed, retryAt: at(now) } })).toEqual({ step: 'capture' });
    expect(stepOf({ failed: { ...failed, figures: 'falling' } })).toEqual({ step: 'capture' });
    const other = { ...picture, figures: 'falling' };
    expect(stepOf({ picture: other, failed })).toMatchObject({ step: 'refuse' });
  });
});
