import { describe, expect, it } from '@jest/globals';
import { maxTags, type Favourite } from '@tapedeck/favourites/contract';
import { canAddTag, draftOf, rebasedDraft, tagTotals, withTag } from './tags.ts';

const favourite = (tags: readonly string[], etag = '"1"'): Favourite => ({
  urlId: 'a',
  tags: [...tags],
  addedAt: '2027-01-01T00:00:00.000Z',
  etag,
  strategy: null,
});

const full = Array.from({ length: maxTags }, (_, at) => `t${at}`);

describe('a new tag', () => {
  it('is trimmed; an empty one, a repeated one and one too many are ignored', () => {
    expect(withTag(['a'], '  b ')).toEqual(['a', 'b']);
    expect(withTag(['a'], '   ')).toEqual(['a']);
    expect(withTag(['a'], ' a')).toEqual(['a']);
    expect(withTag(['a'], 'A')).toEqual(['a', 'A']);
    expect(withTag(['\u00e9'], 'e\u0301')).toEqual(['\u00e9']);
    expect(withTag(full, 'x')).toEqual(full);
  });

  it('can be added unless it is blank or there are too many', () => {
    expect([canAddTag([], ' x '), canAddTag([], '  '), canAddTag(full, 'x')]).toEqual([true, false, false]);
  });
});

describe('tagTotals', () => {
  it('counts the favourites of each tag, in alphabetical order', () => {
    expect(tagTotals([favourite(['b', 'tag 10']), favourite(['a', 'b', 'tag 9'])])).toEqual([
      { tag: 'a', total: 1 },
      { tag: 'b', total: 2 },
      { tag: 'tag 9', total: 1 },
      { tag: 'tag 10', total: 1 },
    ]);
    expect(tagTotals([])).toEqual([]);
  });
});

describe('a draft', () => {
  it('stays as it is while the favourite does', () => {
    const draft = { ...draftOf(favourite(['a'])), tags: ['a', 'mine'] };
    expect(rebasedDraft(draft, favourite(['a']))).toBe(draft);
  });

  it('is applied to tags that another page has changed', () => {
    const draft = { ...draftOf(favourite(['a', 'b'])), tags: ['b', 'mine'] };
    expect(rebasedDraft(draft, favourite(['a', 'b', 'theirs'], '"2"'))).toMatchObject({
      tags: ['b', 'theirs', 'mine'],
      base: { etag: '"2"' },
    });
    expect(rebasedDraft(draft, favourite(['a', 'mine'], '"2"')).tags).toEqual(['mine']);
  });
});
