import { describe, expect, it } from '@jest/globals';
import { addressOf, decodeFilters, defaultFilters, type Filters } from './filters.ts';
import { isPresetOn, presetsOf, presetText, togglePreset, type Preset } from './presets.ts';

const presets = presetsOf(new Date('2026-11-21T12:00:00Z'));
const toggled = (filters: Filters, preset: Preset): Filters => ({
  ...filters,
  ...togglePreset(filters, preset),
});
const find = (id: string): Preset => {
  const preset = presets.find((each) => each.id === id);
  if (!preset) throw new Error(`There is no preset ${id}.`);
  return preset;
};

describe('presets', () => {
  it.each(presets)(
    '$name is on exactly when its filters are set, and toggling it again removes them',
    (preset) => {
      expect(isPresetOn(defaultFilters, preset)).toBe(false);
      const on = toggled(defaultFilters, preset);
      expect(isPresetOn(on, preset)).toBe(true);
      expect(addressOf(on)).not.toBe('');
      expect(isPresetOn(decodeFilters(addressOf(on)), preset)).toBe(true);
      expect(toggled(on, preset)).toEqual(defaultFilters);
    },
  );

  it('replace the filters that they set and keep the others', () => {
    const before = decodeFilters('search=rsi&min_max_drawdown_percent=5&min_likes=3');
    expect(addressOf(toggled(before, find('steady')))).toBe(
      'search=rsi&max_max_drawdown_percent=20&min_profit_factor=1.5&min_likes=3',
    );
  });

  it('are off when a bound differs', () => {
    const other = decodeFilters('min_sharpe_ratio=1.5&max_sharpe_ratio=3');
    expect(isPresetOn(other, find('high-sharpe'))).toBe(false);
  });

  it('list what they set', () => {
    expect(presets.map(presetText)).toEqual([
      '≤ 10\u00a0%',
      '≥ 1.5',
      'drawdown ≤ 20\u00a0%, PF ≥ 1.5',
      '≥ 500 likes',
      '≤ 50 lines',
      'since Jan 1, 2026',
    ]);
  });
});
