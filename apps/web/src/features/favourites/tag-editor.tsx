import { maxTagLength, maxTags, type Favourite } from '@tapedeck/favourites/contract';
import { useEffect, useRef, type FormEvent, type JSX, type KeyboardEvent } from 'react';
import { problemText } from '../../api/problem-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useChangeTagsMutation } from './favourites.api.ts';
import { canAddTag, withTag, type TagDraft } from './tags.ts';

/** The list of all tags, which fields for a tag suggest. */
export const tagSuggestionsId = 'favourite-tags';

/** The server's sentence says why. */
export const showTagsFailed = (error: unknown): void =>
  showToast({
    kind: 'danger',
    title: 'Failed to update tags',
    text: problemText(error, 'Please try again.'),
  });

export const tagsUpdated = { kind: 'ok', title: 'Success', text: 'Tags updated successfully' } as const;

type SaveOptions = Readonly<{ favourite: Favourite; draft: TagDraft; onSaved: () => void }>;

const useSave = ({ favourite, draft, onSaved }: SaveOptions) => {
  const [changeTags, { isLoading }] = useChangeTagsMutation();
  const save = async (): Promise<void> => {
    if (isLoading) return;
    // What is still in the field is meant to be added.
    const tags = withTag(draft.tags, draft.typed);
    const { error } = await changeTags({ urlId: favourite.urlId, tags, etag: draft.base.etag });
    if (error) return showTagsFailed(error);
    onSaved();
    showToast(tagsUpdated);
  };
  return { isLoading, save };
};

export type TagEditorProps = Readonly<{
  favourite: Favourite;
  title: string;
  draft: TagDraft;
  onChange: (draft: TagDraft) => void;
  /** After Save and Cancel. */
  onClose: () => void;
}>;

/** The tags of one favourite: removes and adds in the draft, and saves them together. */
export const TagEditor = ({ favourite, title, draft, onChange, onClose }: TagEditorProps): JSX.Element => {
  const { tags, typed } = draft;
  const field = useRef<HTMLInputElement>(null);
  const { isLoading, save } = useSave({ favourite, draft, onSaved: onClose });
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (canAddTag(tags, typed)) onChange({ ...draft, tags: withTag(tags, typed), typed: '' });
    field.current?.focus();
  };
  const remove = (tag: string): void => {
    onChange({ ...draft, tags: tags.filter((each) => each !== tag) });
    // The pressed button is gone.
    field.current?.focus();
  };
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onClose();
  };
  return (
    <form className="fav-tags" aria-label={`Tags of ${title}`} onSubmit={add}>
      {tags.map((tag) => (
        <span key={tag} className="chip chip--filter">
          <span className="chip-text">{tag}</span>
          <button
            className="chip-x"
            type="button"
            aria-label={`Remove tag ${tag}`}
            onClick={() => remove(tag)}
            onKeyDown={closeOnEscape}
          >
            <Icon name="x" small />
          </button>
        </span>
      ))}
      <span className="fav-new">
        <input
          ref={field}
          className="input input--sm"
          aria-label="New tag"
          placeholder={tags.length < maxTags ? 'New tag' : `At most ${maxTags} tags`}
          autoComplete="off"
          maxLength={maxTagLength}
          list={tagSuggestionsId}
          value={typed}
          onChange={({ target }) => onChange({ ...draft, typed: target.value })}
          onKeyDown={closeOnEscape}
        />
        <button className="btn btn--sm" type="submit" disabled={!canAddTag(tags, typed)}>
          Add
        </button>
      </span>
      <span className="fav-save">
        <button
          className="btn btn--sm"
          type="button"
          aria-disabled={isLoading}
          onClick={() => void save()}
          onKeyDown={closeOnEscape}
        >
          {isLoading ? 'Saving...' : 'Save'}
        </button>
        <button className="btn btn--sm btn--quiet" type="button" onClick={onClose}>
          Cancel
        </button>
      </span>
    </form>
  );
};
