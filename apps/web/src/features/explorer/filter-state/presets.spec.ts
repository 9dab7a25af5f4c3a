import { describe, expect, it } from '@jest/globals';
import { addressOf, decodeFilters } from './filter-address.ts';
import { defaultFilters, type Filters } from './filters.ts';
import { isPresetOn, presetsOf, presetWords, togglePreset, type Preset } from './presets.ts';

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
  it.each(presets)('$name is on exactly when its filters are set, and goes as it came', (preset) => {
    expect(isPresetOn(defaultFilters, preset)).toBe(false);
    const on = toggled(defaultFilters, preset);
    expect(isPresetOn(on, preset)).toBe(true);
    expect(addressOf(on)).not.toBe('');
    // What it sets comes back from the address as it is.
    expect(isPresetOn(decodeFilters(new URLSearchParams(addressOf(on))), preset)).toBe(true);
    expect(toggled(on, preset)).toEqual(defaultFilters);
  });

  it('replace what they name and leave the rest', () => {
    const before = decodeFilters(new URLSearchParams('search=rsi&min_max_drawdown_percent=5&min_likes=3'));
    expect(addressOf(toggled(before, find('steady')))).toBe(
      'search=rsi&max_max_drawdown_percent=20&min_profit_factor=1.5&min_likes=3',
    );
  });

  it('are off when a bound differs', () => {
    const other = decodeFilters(new URLSearchParams('min_sharpe_ratio=1.5&max_sharpe_ratio=3'));
    expect(isPresetOn(other, find('high-sharpe'))).toBe(false);
  });

  it('say what they set', () => {
    expect(presets.map(presetWords)).toEqual([
      '≤ 10\u00a0%',
      '≥ 1.5',
      'drawdown ≤ 20\u00a0%, PF ≥ 1.5',
      '≥ 500 likes',
      '≤ 50 lines',
      'since Jan 1, 2026',
    ]);
  });
});
