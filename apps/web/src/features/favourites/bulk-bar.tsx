import { maxTagLength, type Favourite, type TagFavouritesBody } from '@tapedeck/favourites/contract';
import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef, useState, type FormEvent, type JSX } from 'react';
import { useCommands } from '../../ui/browser/shortcuts.ts';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useTagFavouritesMutation } from './favourites.api.ts';
import { hideTagsFailed, tagsProblem, tagsUpdated, tagSuggestionsId } from './tag-editor.tsx';
import { normalisedTag, tagTotals } from './tags.ts';

type Change = Readonly<{ kind: 'add' | 'remove'; tag: string }>;

const bodyOf = ({ kind, tag }: Change, favourites: readonly Favourite[]): TagFavouritesBody => ({
  urlIds: favourites.map(({ urlId }) => urlId),
  add: kind === 'add' ? [tag] : [],
  remove: kind === 'remove' ? [tag] : [],
});

const opposite = { add: 'remove', remove: 'add' } as const;

/** Adds or removes a tag by one request; the toast can undo it where it has changed something. */
const useTagging = (selected: readonly Favourite[]) => {
  const [tagFavourites, { isLoading }] = useTagFavouritesMutation();
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => hideTagsFailed, []);
  const undo = async ({ kind, tag }: Change, changed: readonly Favourite[]): Promise<void> => {
    const { error } = await tagFavourites(bodyOf({ kind: opposite[kind], tag }, changed));
    if (error) setProblem(tagsProblem(error));
  };
  const change = async (wanted: Change): Promise<boolean> => {
    if (isLoading) return false;
    setProblem(null);
    const { kind, tag } = wanted;
    const changed = selected.filter(({ tags }) => tags.includes(tag) === (kind === 'remove'));
    const { error } = await tagFavourites(bodyOf(wanted, selected));
    if (error) {
      setProblem(tagsProblem(error));
      return false;
    }
    const altText = `${kind === 'add' ? 'Remove' : 'Add'} the tag ${tag} again`;
    const action = { label: 'Undo', altText, perform: () => void undo(wanted, changed) };
    showToast({ ...tagsUpdated, ...(changed.length > 0 ? { action } : {}) });
    return true;
  };
  return { isLoading, problem, change };
};

type RemoveTagProps = Readonly<{ selected: readonly Favourite[]; onRemove: (tag: string) => void }>;

const RemoveTag = ({ selected, onRemove }: RemoveTagProps): JSX.Element => {
  const present = tagTotals(selected);
  return (
    // Not modal: a modal menu adds a style element to lock the page's scroll, which the content policy forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="btn btn--sm">
        Remove tag
        <Icon name="up" small />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu menu--long"
          aria-label="Tags of the selected favorites"
          side="top"
          sideOffset={8}
          collisionPadding={8}
        >
          {present.length === 0 && (
            <DropdownMenu.Item className="menu-item" disabled>
              They have no tags
            </DropdownMenu.Item>
          )}
          {present.map(({ tag, total }) => (
            <DropdownMenu.Item key={tag} className="menu-item" onSelect={() => onRemove(tag)}>
              <span className="chip-text">{tag}</span>
              <span className="meta push">{formatWhole(total)}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

export type BulkBarProps = Readonly<{ selected: readonly Favourite[]; onClear: () => void }>;

/** Tags the selected favourites. */
export const BulkBar = ({ selected, onClear }: BulkBarProps): JSX.Element => {
  const { isLoading, problem, change } = useTagging(selected);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The bar comes after all rows: too far for the Tab key.
  useCommands([
    { id: 'bulk-tag', key: 't', label: 'Tag the selected favorites', perform: () => field.current?.focus() },
  ]);
  const tag = normalisedTag(typed);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (tag !== '' && (await change({ kind: 'add', tag }))) setTyped('');
  };
  return (
    <section className="bulk" aria-label="Selected favorites">
      <p className="bulk-count" role="status">
        <b>{formatWhole(selected.length)}</b> selected
      </p>
      <form className="bulk-add" onSubmit={(event) => void add(event)}>
        <input
          ref={field}
          className="input input--sm"
          aria-label="Tag to add to the selected favorites"
          placeholder="Tag to add"
          autoComplete="off"
          maxLength={maxTagLength}
          list={tagSuggestionsId}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button
          className="btn btn--sm btn--primary"
          type="submit"
          disabled={tag === ''}
          aria-busy={isLoading}
        >
          Add tag
        </button>
      </form>
      <RemoveTag selected={selected} onRemove={(each) => void change({ kind: 'remove', tag: each })} />
      <button className="btn btn--sm btn--quiet bulk-clear" type="button" onClick={onClear}>
        Clear selection
      </button>
      <InlineError problem={problem} />
    </section>
  );
};
