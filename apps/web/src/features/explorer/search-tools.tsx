import type { JSX } from 'react';
import { ExportButton } from './export/export-button.tsx';
import { SavedSearchesButton } from '../saved-searches/saved-searches-button.tsx';
import type { ExplorationView } from './use-exploration.ts';

/** What can be done with the search on the screen. */
export const SearchTools = ({ exploration }: Readonly<{ exploration: ExplorationView }>): JSX.Element => (
  <>
    <SavedSearchesButton hasNews={exploration.hasNews} />
    <ExportButton total={exploration.shown?.total} />
  </>
);
