import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { strategyId, type StrategyId } from '@tapedeck/strategies/events';
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

  it('continues the count of revisions after a removal', () => {
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

describe('the favourites after twenty thousand events', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => strategyId(String(index).padStart(8, 'A')));
  const [first = urlId, ...others] = ids;
  const event = (type: 'FavouriteAdded' | 'FavouriteRemoved', id: StrategyId, revision: number) =>
    type === 'FavouriteAdded'
      ? ({ type, data: { accountId: account, urlId: id, revision, tags: ['a'] } } as const)
      : ({ type, data: { accountId: account, urlId: id, revision } } as const);
  const history: readonly FavouriteEvent[] = [
    event('FavouriteAdded', first, 1),
    ...others.flatMap((id) => [event('FavouriteAdded', id, 1), event('FavouriteRemoved', id, 2)]),
    event('FavouriteRemoved', first, 2),
    event('FavouriteAdded', urlId, 1),
  ];

  it('are those that were not removed, and every removed one keeps its revision', () => {
    const add = (id: StrategyId) =>
      ({ type: 'AddFavourite', accountId: account, urlId: id, tags: [] }) as const;
    given(...history)
      .when(add(urlId))
      .thenNothing();
    for (const id of [first, ...others.slice(-2)]) {
      given(...history)
        .when(add(id))
        .then({ type: 'FavouriteAdded', data: { accountId: account, urlId: id, revision: 3, tags: [] } });
    }
  });

  it('do not change the state from before', () => {
    const before = favouritesDecider.initialState;
    stateAfter(favouritesDecider, history, before);
    const one = stateAfter(favouritesDecider, history.slice(0, 1));
    favouritesDecider.evolve(one, event('FavouriteRemoved', first, 2));
    expect([before.present.size, before.removed.size, one.present.size, one.removed.size]).toEqual([
      0, 0, 1, 0,
    ]);
  });
});
