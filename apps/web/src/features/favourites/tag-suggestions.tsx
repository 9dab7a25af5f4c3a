import type { JSX } from 'react';
import { tagSuggestionsId } from './tag-editor.tsx';
import type { TagTotal } from './tags.ts';

/** What fields for a tag suggest. Once in a page. */
export const TagSuggestions = ({ totals }: Readonly<{ totals: readonly TagTotal[] }>): JSX.Element => (
  <datalist id={tagSuggestionsId}>
    {totals.map(({ tag }) => (
      <option key={tag} value={tag}>
        {tag}
      </option>
    ))}
  </datalist>
);
