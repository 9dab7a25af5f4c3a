import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { checkProperty, deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { strategyId, type StrategyId } from '@tapedeck/strategies/events';
import fc from 'fast-check';
import { favouritesDecider } from './decide.ts';
import type { FavouriteEvent } from './favourites.ts';
import { maxFavourites, maxTagLength, maxTags } from './limits.ts';

const { given } = deciderSpec(favouritesDecider);
const account = accountId(derivedId('favourites.spec'));
const urlId = strategyId('S3LKflwr');
const about = { accountId: account, urlId };

const added = (revision: number, ...tags: string[]): FavouriteEvent => ({
  type: 'FavouriteAdded',
  data: { ...about, revision, tags },
});
const removed = (revision: number): FavouriteEvent => ({
  type: 'FavouriteRemoved',
  data: { ...about, revision },
});
const retagged = (revision: number, ...tags: string[]): FavouriteEvent => ({
  type: 'FavouriteTagsChanged',
  data: { ...about, revision, tags },
});

describe('adding a favourite', () => {
  it('trims tags and drops empty and repeated ones', () => {
    given()
      .when({ type: 'AddFavourite', ...about, tags: [' swing ', '', 'swing', 'btc', '   '] })
      .then(added(1, 'swing', 'btc'));
  });

  it('changes nothing when the favourite exists already', () => {
    given(added(1, 'swing'))
      .when({ type: 'AddFavourite', ...about, tags: ['other'] })
      .thenNothing();
  });

  it('has a higher revision after a removal', () => {
    given(added(1), removed(2))
      .when({ type: 'AddFavourite', ...about, tags: [] })
      .then(added(3));
  });

  it('refuses a tag that is too long and too many tags', () => {
    given()
      .when({ type: 'AddFavourite', ...about, tags: ['x'.repeat(maxTagLength + 1)] })
      .thenRefused('TAG_TOO_LONG');
    given()
      .when({ type: 'AddFavourite', ...about, tags: Array.from({ length: maxTags + 1 }, (_, i) => `t${i}`) })
      .thenRefused('TOO_MANY_TAGS');
  });

  it('refuses more favourites than the limit', () => {
    const full = Array.from({ length: maxFavourites }, (_, index): FavouriteEvent => ({
      type: 'FavouriteAdded',
      data: { accountId: account, urlId: strategyId(String(index).padStart(8, 'A')), revision: 1, tags: [] },
    }));
    given(...full)
      .when({ type: 'AddFavourite', ...about, tags: [] })
      .thenRefused('TOO_MANY_FAVOURITES');
  });
});

describe('removing a favourite', () => {
  it('removes the favourite once', () => {
    given(added(1))
      .when({ type: 'RemoveFavourite', ...about })
      .then(removed(2));
    given(added(1), removed(2))
      .when({ type: 'RemoveFavourite', ...about })
      .thenNothing();
    given()
      .when({ type: 'RemoveFavourite', ...about })
      .thenNothing();
  });
});

describe('taking a removal back', () => {
  const restore = {
    type: 'RestoreFavourite',
    ...about,
    tags: ['swing', 'btc'],
    addedAt: '2027-01-01T00:00:00.000Z',
    now: '2027-02-03T18:03:59.123Z',
  } as const;
  const restored = (revision: number, addedAt: string): FavouriteEvent => ({
    type: 'FavouriteRestored',
    data: { ...about, revision, tags: ['swing', 'btc'], addedAt },
  });

  it('restores the tags and the time at which the favourite was added', () => {
    given(added(1), removed(2)).when(restore).then(restored(3, restore.addedAt));
  });

  it('changes nothing when the favourite has been added again', () => {
    given(added(1), removed(2), added(3, 'new')).when(restore).thenNothing();
  });

  it('takes no time that has not come', () => {
    given()
      .when({ ...restore, addedAt: '2099-01-01T00:00:00.000Z' })
      .then(restored(1, restore.now));
  });

  it('makes a favourite that can be retagged and removed', () => {
    given(restored(3, restore.addedAt))
      .when({ type: 'ChangeFavouriteTags', ...about, tags: [], expectedRevision: 3 })
      .then(retagged(4));
    given(restored(3, restore.addedAt))
      .when({ type: 'RemoveFavourite', ...about })
      .then(removed(4));
  });
});

describe('tagging many favourites', () => {
  const second = strategyId('AAAAAAAA');
  const unknown = strategyId('ZZZZZZZZ');
  const secondAdded = (...tags: string[]): FavouriteEvent => ({
    type: 'FavouriteAdded',
    data: { ...about, urlId: second, revision: 4, tags },
  });
  const secondRetagged = (...tags: string[]): FavouriteEvent => ({
    type: 'FavouriteTagsChanged',
    data: { ...about, urlId: second, revision: 5, tags },
  });
  const tag = (change: { add?: string[]; remove?: string[] }) =>
    ({
      type: 'TagFavourites',
      accountId: account,
      urlIds: [urlId, unknown, second, urlId],
      add: [],
      remove: [],
      ...change,
    }) as const;

  it('adds a tag behind the others, where it is missing', () => {
    given(added(1, 'a'), secondAdded('b', 'x'))
      .when(tag({ add: [' x ', '', 'x'] }))
      .then(retagged(2, 'a', 'x'));
  });

  it('removes a tag where it is, and can replace it', () => {
    given(added(1, 'a', 'old'), secondAdded('old'))
      .when(tag({ add: ['new'], remove: ['old '] }))
      .then(retagged(2, 'a', 'new'), secondRetagged('new'));
  });

  it('leaves out what has been removed in the meantime', () => {
    given(added(1), removed(2), secondAdded())
      .when(tag({ add: ['x'] }))
      .then(secondRetagged('x'));
    given()
      .when(tag({ add: ['x'] }))
      .thenNothing();
  });

  it('changes all of them or none', () => {
    const full = Array.from({ length: maxTags }, (_, at) => `t${at}`);
    given(added(1), secondAdded(...full))
      .when(tag({ add: ['x'] }))
      .thenRefused('TOO_MANY_TAGS');
    given(added(1), secondAdded(...full))
      .when(tag({ add: ['x'], remove: ['t0'] }))
      .then(retagged(2, 'x'), secondRetagged(...full.slice(1), 'x'));
    given(added(1))
      .when(tag({ add: ['x'.repeat(maxTagLength + 1)] }))
      .thenRefused('TAG_TOO_LONG');
  });
});

describe('changing the tags of a favourite', () => {
  it('replaces the tags', () => {
    given(added(1, 'a'))
      .when({ type: 'ChangeFavouriteTags', ...about, tags: ['b'] })
      .then(retagged(2, 'b'));
  });

  it('changes nothing when the tags are the same', () => {
    given(added(1, 'a'))
      .when({ type: 'ChangeFavouriteTags', ...about, tags: [' a'] })
      .thenNothing();
  });

  it('refuses a strategy that is not a favourite', () => {
    given()
      .when({ type: 'ChangeFavouriteTags', ...about, tags: [] })
      .thenRefused('FAVOURITE_NOT_FOUND');
  });

  it('refuses a change made from an older revision, also across a removal', () => {
    const change = { type: 'ChangeFavouriteTags', ...about, tags: ['b'], expectedRevision: 1 } as const;
    given(added(1)).when(change).then(retagged(2, 'b'));
    given(added(1), retagged(2, 'c')).when(change).thenRefused('TAGS_CHANGED_MEANWHILE');
    given(added(1), removed(2), added(3)).when(change).thenRefused('TAGS_CHANGED_MEANWHILE');
  });
});

describe('a revision', () => {
  const other = strategyId('AAAAAAAA');
  const otherAdded: FavouriteEvent = {
    type: 'FavouriteAdded',
    data: { ...about, urlId: other, revision: 7, tags: [] },
  };
  const otherRemoved: FavouriteEvent = {
    type: 'FavouriteRemoved',
    data: { ...about, urlId: other, revision: 8 },
  };

  it('of an added favourite is larger than that of every removal, whichever favourite it removed', () => {
    given(added(1), removed(2), otherAdded, otherRemoved)
      .when({ type: 'AddFavourite', ...about, tags: [] })
      .then(added(9));
  });

  it('of a favourite never occurs twice', () => {
    type Step = readonly ['AddFavourite' | 'RemoveFavourite' | 'ChangeFavouriteTags', StrategyId, string];
    const steps = fc.array(
      fc.tuple(
        fc.constantFrom('AddFavourite', 'RemoveFavourite', 'ChangeFavouriteTags'),
        fc.constantFrom(urlId, other),
        fc.constantFrom('a', 'b'),
      ),
      { maxLength: 40 },
    );
    const eventsOf = (
      history: readonly FavouriteEvent[],
      [type, id, tag]: Step,
    ): readonly FavouriteEvent[] => {
      const state = stateAfter(favouritesDecider, history);
      if (type === 'ChangeFavouriteTags' && !state.present.has(id)) return [];
      return favouritesDecider.decide({ type, accountId: account, urlId: id, tags: [tag] }, state);
    };
    checkProperty(
      fc.property(steps, (all) => {
        const history = all.reduce<readonly FavouriteEvent[]>(
          (before, step) => [...before, ...eventsOf(before, step)],
          [],
        );
        const revisions = history.map(({ data }) => `${data.urlId} ${data.revision}`);
        expect(new Set(revisions).size).toBe(revisions.length);
      }),
      { numRuns: 200 },
    );
  });
});
