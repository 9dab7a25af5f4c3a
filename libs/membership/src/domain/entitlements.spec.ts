import { expect, it } from '@jest/globals';
import { featureMissing, featuresOf } from './entitlements.ts';

it('opens the catalogue to everybody or as advertised, and the export to paid members only', () => {
  expect(featuresOf('Free', 'open')).toEqual(['explorer', 'sourceCode', 'favourites']);
  expect(featuresOf('Basic', 'open')).toContain('csvExport');
  expect(featuresOf('Free', 'advertised')).toEqual([]);
  expect(featuresOf('Pro', 'advertised')).toEqual(['csvExport', 'favourites']);
  expect(featuresOf('Elite', 'advertised')).toEqual(['explorer', 'sourceCode', 'csvExport', 'favourites']);
});

it('opens everything to support and admins', () => {
  for (const role of ['support', 'admin'])
    expect(featuresOf('Free', 'advertised', [role])).toEqual(featuresOf('Elite', 'advertised'));
});

it.each([
  ['explorer', 'Your plan does not include the Strategy Explorer: upgrade to Elite.'],
  ['sourceCode', 'Your plan does not include the source code of strategies: upgrade to Elite.'],
  ['favourites', 'Your plan does not include favourites: upgrade to Pro or Elite.'],
  ['csvExport', 'Your plan does not include the CSV export: upgrade to Pro or Elite.'],
] as const)('names the plans that include %s', (feature, message) => {
  expect(featureMissing(feature, 'advertised')).toMatchObject({ code: 'FEATURE_NOT_INCLUDED', message });
});
