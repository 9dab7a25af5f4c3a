import { maxTags, type Favourite } from '@tapedeck/favourites/contract';

/** As the server stores it. */
export const normalisedTag = (typed: string): string => typed.trim().normalize('NFC');

export const canAddTag = (tags: readonly string[], typed: string): boolean =>
  normalisedTag(typed) !== '' && tags.length < maxTags;

/** Empty and repeated tags are ignored. */
export const withTag = (tags: readonly string[], typed: string): readonly string[] => {
  const tag = normalisedTag(typed);
  return canAddTag(tags, tag) && !tags.includes(tag) ? [...tags, tag] : tags;
};

export type TagTotal = Readonly<{ tag: string; total: number }>;

/** Every tag in alphabetical order, with the number of favourites that have it. */
export const tagTotals = (favourites: readonly Favourite[]): readonly TagTotal[] => {
  const totals = new Map<string, number>();
  for (const tag of favourites.flatMap(({ tags }) => tags)) totals.set(tag, (totals.get(tag) ?? 0) + 1);
  return [...totals]
    .map(([tag, total]) => ({ tag, total }))
    .sort((a, b) => a.tag.localeCompare(b.tag, 'en', { numeric: true }));
};

/** The tags of a favourite while they are edited. */
export type TagDraft = Readonly<{
  tags: readonly string[];
  /** What is in the field. */
  typed: string;
  /** What the edit began from. */
  base: Pick<Favourite, 'tags' | 'etag'>;
}>;

export const draftOf = ({ tags, etag }: Favourite): TagDraft => ({ tags, typed: '', base: { tags, etag } });

/**
 * The draft on the tags as they are now: what was removed and added in the draft is removed from and added to them. So
 * nothing that another page has changed in the meantime is lost.
 */
export const rebasedDraft = (draft: TagDraft, { tags, etag }: Pick<Favourite, 'tags' | 'etag'>): TagDraft => {
  const { base } = draft;
  if (base.etag === etag) return draft;
  const isKept = (tag: string): boolean => draft.tags.includes(tag) || !base.tags.includes(tag);
  const added = draft.tags.filter((tag) => !base.tags.includes(tag) && !tags.includes(tag));
  return { ...draft, tags: [...tags.filter(isKept), ...added], base: { tags, etag } };
};
