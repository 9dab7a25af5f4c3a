import { describe, expect, it } from '@jest/globals';
import { defineSettings, mergeSettings, placeholdersOf, readSettings, variablesOf } from './config.ts';
import { port, text } from './settings/values.ts';

const shop = defineSettings({
  SHOP_PORT: { schema: port, byDefault: '4000', readBy: ['api'], description: 'port of the shop' },
  SHOP_KEY: { schema: text, readBy: ['api', 'projector'], description: 'its key', placeholder: 'none' },
  SHOP_NAME: { schema: text.optional(), readBy: ['projector'], description: 'its name' },
});

describe('readSettings', () => {
  it('reads the variables of one process, an empty one as if it were missing', () => {
    const env = { SHOP_PORT: '', SHOP_KEY: 'k', SHOP_NAME: '', OTHER: 'x' };
    expect(readSettings(shop, 'api', env)).toEqual({ SHOP_PORT: 4_000, SHOP_KEY: 'k' });
    expect(readSettings(shop, 'projector', env)).toEqual({ SHOP_KEY: 'k', SHOP_NAME: undefined });
  });

  it('refuses a missing and a wrong variable by its name', () => {
    expect(() => readSettings(shop, 'api', {})).toThrow('The environment variable SHOP_KEY is missing.');
    expect(() => readSettings(shop, 'api', { SHOP_KEY: 'k', SHOP_PORT: 'x' })).toThrow(
      'The environment variable SHOP_PORT must be a port number.',
    );
  });
});

describe('variablesOf', () => {
  it('names what a process reads', () => {
    expect(variablesOf(shop, 'api')).toEqual(['SHOP_PORT', 'SHOP_KEY']);
  });
});

describe('mergeSettings', () => {
  it('has the settings of all modules', () => {
    const bank = defineSettings({ BANK_KEY: { schema: text, readBy: ['api'], description: 'its key' } });
    expect(variablesOf(mergeSettings({ shop, bank }), 'api')).toContain('BANK_KEY');
  });

  it('refuses a name that two modules contribute', () => {
    const other = defineSettings({ SHOP_KEY: { schema: text, readBy: ['api'], description: 'its key' } });
    expect(() => mergeSettings({ shop, other })).toThrow(
      'The modules shop and other both contribute the setting SHOP_KEY: rename one.',
    );
  });
});

describe('placeholdersOf', () => {
  it('has the placeholders by name', () => {
    expect(placeholdersOf(shop)).toEqual({ SHOP_KEY: 'none' });
  });
});
