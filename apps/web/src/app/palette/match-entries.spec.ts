import { describe, expect, it } from '@jest/globals';
import { groupEntries, matchEntries } from './match-entries.ts';

const entries = [
  { name: 'Explorer', group: 'Go to', keywords: 'strategies search' },
  { name: 'Strategy Upload', group: 'Admin', keywords: 'import zip' },
  { name: 'SQL Console', group: 'Admin' },
  { name: 'Next event', group: 'On this page' },
  { name: 'Paramètres', group: 'Actions' },
];
const names = (text: string): readonly string[] => matchEntries(text, entries).map(({ name }) => name);

describe('the entries of the palette', () => {
  it('are all of them in their order when nothing is typed', () => {
    expect(names(' ')).toEqual(entries.map(({ name }) => name));
  });

  it('are found by the beginnings of the words of a name, in any order', () => {
    expect(names('strat up')).toEqual(['Strategy Upload']);
    expect(names('up strat')).toEqual(['Strategy Upload']);
    expect(names('rategy')).toEqual([]);
  });

  it('are found by other words and by their group, after those with the name', () => {
    expect(names('strateg')).toEqual(['Strategy Upload', 'Explorer']);
    expect(names('zip')).toEqual(['Strategy Upload']);
    expect(names('admin sql')).toEqual(['SQL Console']);
  });

  it('are found without accents', () => {
    expect(names('parametres')).toEqual(['Paramètres']);
  });

  it('stand in groups, that of the best entry first', () => {
    expect(groupEntries(matchEntries('strateg', entries)).map(([group]) => group)).toEqual([
      'Admin',
      'Go to',
    ]);
    expect(groupEntries(entries).flatMap(([, own]) => own)).toHaveLength(entries.length);
  });
});
