import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { strategyId } from '@tapedeck/strategies/events';
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
  it('keeps tags trimmed, without empty ones, each once', () => {
    given()
      .when({ type: 'AddFavourite', ...about, tags: [' swing ', '', 'swing', 'btc', '   '] })
      .then(added(1, 'swing', 'btc'));
  });

  it('changes nothing when it is there already', () => {
    given(added(1, 'swing'))
      .when({ type: 'AddFavourite', ...about, tags: ['other'] })
      .thenNothing();
  });

  it('goes on counting revisions after a removal', () => {
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

  it('refuses one more than there can be', () => {
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
  it('removes it once', () => {
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
  it('replaces them', () => {
    given(added(1, 'a'))
      .when({ type: 'ChangeFavouriteTags', ...about, tags: ['b'] })
      .then(retagged(2, 'b'));
  });

  it('changes nothing when they are the same', () => {
    given(added(1, 'a'))
      .when({ type: 'ChangeFavouriteTags', ...about, tags: [' a'] })
      .thenNothing();
  });

  it('refuses what is not a favourite', () => {
    given()
      .when({ type: 'ChangeFavouriteTags', ...about, tags: [] })
      .thenRefused('FAVOURITE_NOT_FOUND');
  });

  it('refuses a change made from an older revision, over a removal too', () => {
    const change = { type: 'ChangeFavouriteTags', ...about, tags: ['b'], expectedRevision: 1 } as const;
    given(added(1)).when(change).then(retagged(2, 'b'));
    given(added(1), retagged(2, 'c')).when(change).thenRefused('TAGS_CHANGED_MEANWHILE');
    given(added(1), removed(2), added(3)).when(change).thenRefused('TAGS_CHANGED_MEANWHILE');
  });
});
