import { describe, expect, it } from '@jest/globals';
import { features, missingFeatureText, planOf, plans, rankOf, tiersWith, type Feature } from './contract.ts';

describe('the catalogue of plans', () => {
  it('has each tier once', () => {
    const tiers = plans.map(({ tier }) => tier);
    expect(new Set(tiers).size).toBe(tiers.length);
  });

  it('ranks a tier by its position', () => {
    expect(rankOf('Pro')).toBeGreaterThan(rankOf('Basic'));
    expect(rankOf('Elite')).toBeGreaterThan(rankOf('Pro'));
  });
});

describe('the text about a feature that a plan does not include', () => {
  const named = (feature: Feature): string[] => tiersWith(feature).split(/, | or /);

  it.each(features)('names the tiers that are sold with %s, and no other', (feature) => {
    for (const { tier, prices } of plans)
      expect([tier, named(feature).includes(tier)]).toEqual([
        tier,
        prices !== null && planOf(tier).features.includes(feature),
      ]);
  });

  it('is a sentence', () => {
    expect(missingFeatureText('explorer')).toBe(
      `Your plan does not include the Strategy Explorer: upgrade to ${tiersWith('explorer')}.`,
    );
  });
});
