import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { StrategyId } from '@tapedeck/strategies/events';
import { evolve, type FavouriteEvent, favouriteEvents, type Favourites, noFavourites } from './favourites.ts';
import { favouritesSnapshot } from './favourites-snapshot.ts';
import { maxFavourites, maxTagLength, maxTags } from './limits.ts';

type Subject = Readonly<{ accountId: AccountId; urlId: StrategyId }>;

export type AddFavourite = Readonly<{ type: 'AddFavourite' } & Subject & { tags: readonly string[] }>;
export type RestoreFavourite = Readonly<
  { type: 'RestoreFavourite' } & Subject & {
      tags: readonly string[];
      addedAt: string;
      now: string;
    }
>;
export type RemoveFavourite = Readonly<{ type: 'RemoveFavourite' } & Subject>;
export type ChangeFavouriteTags = Readonly<
  { type: 'ChangeFavouriteTags' } & Subject & {
      tags: readonly string[];
      /** The revision that the change was made from; absent means any. */
      expectedRevision?: number | undefined;
    }
>;
/** For all of these favourites; those that have been removed in the meantime are left out. */
export type TagFavourites = Readonly<{
  type: 'TagFavourites';
  accountId: AccountId;
  urlIds: readonly StrategyId[];
  add: readonly string[];
  remove: readonly string[];
}>;
export type FavouriteCommand =
  | AddFavourite
  | RestoreFavourite
  | RemoveFavourite
  | ChangeFavouriteTags
  | TagFavourites;

const normalisedTag = (tag: string): string => tag.trim().normalize('NFC');

/** Tags as they are stored: trimmed, without empty ones, each once. */
const normalisedTags = (tags: readonly string[]): readonly string[] => {
  const normalised = [...new Set(tags.map(normalisedTag).filter((tag) => tag !== ''))];
  const long = normalised.find((tag) => tag.length > maxTagLength);
  if (long !== undefined) {
    throw new DomainError(
      'invalid',
      'TAG_TOO_LONG',
      `The tag "${long.slice(0, maxTagLength)}…" is too long: use at most ${maxTagLength} characters.`,
    );
  }
  if (normalised.length > maxTags) {
    throw new DomainError('invalid', 'TOO_MANY_TAGS', `A favorite can have at most ${maxTags} tags.`);
  }
  return normalised;
};

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag, index) => tag === b[index]);

const add = (
  command: AddFavourite | RestoreFavourite,
  { present, lastRemoval }: Favourites,
): readonly FavouriteEvent[] => {
  const { accountId, urlId } = command;
  const tags = normalisedTags(command.tags);
  if (present.has(urlId)) return [];
  if (present.size >= maxFavourites) {
    throw new DomainError(
      'conflict',
      'TOO_MANY_FAVOURITES',
      `You have ${maxFavourites} favorites, the limit: remove one first.`,
    );
  }
  const data = { accountId, urlId, revision: lastRemoval + 1, tags };
  if (command.type === 'AddFavourite') return [{ type: 'FavouriteAdded', data }];
  // Both are ISO 8601 in UTC, so that their order is that of the texts.
  const addedAt = command.addedAt < command.now ? command.addedAt : command.now;
  return [{ type: 'FavouriteRestored', data: { ...data, addedAt } }];
};

const remove = ({ accountId, urlId }: RemoveFavourite, state: Favourites): readonly FavouriteEvent[] => {
  const current = state.present.get(urlId);
  if (!current) return [];
  return [{ type: 'FavouriteRemoved', data: { accountId, urlId, revision: current.revision + 1 } }];
};

const changeTags = (command: ChangeFavouriteTags, state: Favourites): readonly FavouriteEvent[] => {
  const { accountId, urlId, expectedRevision } = command;
  const current = state.present.get(urlId);
  if (!current) {
    throw new DomainError(
      'not-found',
      'FAVOURITE_NOT_FOUND',
      'This strategy is not among your favorites: add it first.',
    );
  }
  if (expectedRevision !== undefined && expectedRevision !== current.revision) {
    throw new DomainError(
      'precondition-failed',
      'TAGS_CHANGED_MEANWHILE',
      'These tags were changed somewhere else in the meantime: load them again and repeat your change.',
    );
  }
  const tags = normalisedTags(command.tags);
  if (sameTags(tags, current.tags)) return [];
  return [{ type: 'FavouriteTagsChanged', data: { accountId, urlId, revision: current.revision + 1, tags } }];
};

const tagMany = (command: TagFavourites, { present }: Favourites): readonly FavouriteEvent[] => {
  const { accountId } = command;
  const added = normalisedTags(command.add);
  const removed = new Set(command.remove.map(normalisedTag));
  const changes = [...new Set(command.urlIds)].flatMap((urlId) => {
    const current = present.get(urlId);
    if (!current) return [];
    const tags = [...new Set([...current.tags.filter((tag) => !removed.has(tag)), ...added])];
    return sameTags(tags, current.tags) ? [] : [{ urlId, revision: current.revision + 1, tags }];
  });
  const full = changes.filter(({ tags }) => tags.length > maxTags).length;
  if (full > 0) {
    throw new DomainError(
      'invalid',
      'TOO_MANY_TAGS',
      `A favorite can have at most ${maxTags} tags, and ${full} of these would have more: nothing was changed.`,
    );
  }
  return changes.map((change) => ({ type: 'FavouriteTagsChanged', data: { accountId, ...change } }));
};

const decide = (command: FavouriteCommand, state: Favourites): readonly FavouriteEvent[] => {
  switch (command.type) {
    case 'AddFavourite':
    case 'RestoreFavourite':
      return add(command, state);
    case 'RemoveFavourite':
      return remove(command, state);
    case 'ChangeFavouriteTags':
      return changeTags(command, state);
    case 'TagFavourites':
      return tagMany(command, state);
    default:
      return command satisfies never;
  }
};

export const favouritesDecider: Decider<Favourites, FavouriteCommand, FavouriteEvent> = {
  initialState: noFavourites,
  decide,
  evolve,
  snapshot: favouritesSnapshot,
};

export const favourites = commandTarget(favouritesDecider, favouriteEvents);
