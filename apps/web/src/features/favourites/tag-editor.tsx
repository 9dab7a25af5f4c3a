import { maxTagLength, maxTags, type Favourite } from '@tapedeck/favourites/contract';
import { useEffect, useRef, useState, type FormEvent, type JSX, type KeyboardEvent } from 'react';
import { problemOf } from '../../api/problem-text.ts';
import { showError } from '../../api/succeeded.ts';
import { Icon } from '../../ui/icon.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../ui/toasts.tsx';
import { useChangeTagsMutation } from './favourites.api.ts';
import { canAddTag, withTag, type TagDraft } from './tags.ts';

/** The list of all tags, which fields for a tag suggest. */
export const tagSuggestionsId = 'favourite-tags';

const failed = {
  title: 'Failed to update tags',
  fallback: 'The tags were not changed. Please try again.',
} as const;

/** The server's sentence says why. */
export const tagsProblem = (error: unknown): Problem => {
  showError(error, failed);
  return problemOf(error, failed.fallback);
};

/** The tags are edited no longer, or changed again. */
export const hideTagsFailed = (): void => hideToast(failed.fallback);

export const tagsUpdated = { kind: 'ok', title: 'Success', text: 'Tags updated successfully' } as const;

type SaveOptions = Readonly<{ favourite: Favourite; draft: TagDraft; onSaved: () => void }>;

const useSave = ({ favourite, draft, onSaved }: SaveOptions) => {
  const [changeTags, { isLoading }] = useChangeTagsMutation();
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => hideTagsFailed, []);
  const save = async (): Promise<void> => {
    if (isLoading) return;
    setProblem(null);
    // What is still in the field is meant to be added.
    const tags = withTag(draft.tags, draft.typed);
    const { error } = await changeTags({ urlId: favourite.urlId, tags, etag: draft.base.etag });
    if (error) return setProblem(tagsProblem(error));
    onSaved();
    showToast(tagsUpdated);
  };
  return { isLoading, problem, save };
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
  const { isLoading, problem, save } = useSave({ favourite, draft, onSaved: onClose });
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
      <InlineError problem={problem} />
    </form>
  );
};
