import { useCallback, useEffect, useState, type JSX } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useShortcuts } from '../../ui/browser/shortcuts.ts';
import { SaveSearchForm } from './save-search-form.tsx';
import { SavedSearchList } from './saved-search-list.tsx';
import { useSavedSearchesQuery } from './saved-searches.api.ts';
import { newMatchesOf } from './saved-searches.ts';

const titleId = 'saved-searches-title';
/** Seconds for which the counts of new matches are fresh (D17). */
const fresh = 30;

const Waiting = (): JSX.Element => (
  <div className="saved-search-wait">
    <p className="visually-hidden" role="status">
      Loading saved searches
    </p>
    <span className="skeleton" aria-hidden="true" />
    <span className="skeleton" aria-hidden="true" />
  </div>
);

type ContentProps = Readonly<{ onClose: () => void }>;

const Content = ({ onClose }: ContentProps): JSX.Element => {
  const {
    data: searches,
    isError,
    isFetching,
    refetch,
  } = useSavedSearchesQuery(undefined, {
    refetchOnMountOrArgChange: fresh,
  });
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>Saved searches</h2>
        <SaveSearchForm searches={searches ?? []} onSaved={onClose} />
        {searches && <SavedSearchList searches={searches} onApplied={onClose} />}
        {!searches && !isError && <Waiting />}
        {!searches && isError && (
          <RetryNotice
            words="Your saved searches could not be loaded."
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
};

const matchesWords = (found: number): string =>
  `${formatWhole(found)} new ${found === 1 ? 'match' : 'matches'}`;

/** `hasNews`: the catalogue has moved on, and with it perhaps the counts. */
export const SavedSearchesButton = ({ hasNews }: Readonly<{ hasNews: boolean }>): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const { data: searches, refetch } = useSavedSearchesQuery(undefined, { refetchOnMountOrArgChange: fresh });
  const close = useCallback(() => setOpen(false), []);
  const found = newMatchesOf(searches ?? []);
  useShortcuts([{ id: 'saved-searches', key: 's', label: 'Saved searches', perform: () => setOpen(true) }]);
  useEffect(() => {
    if (hasNews) void refetch();
  }, [hasNews, refetch]);
  return (
    <>
      <button
        className="btn btn--quiet tool"
        type="button"
        title="Saved searches"
        aria-label={found > 0 ? `Saved searches, ${matchesWords(found)}` : 'Saved searches'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="save" />
        <span className="tool-words">Saved searches</span>
        {found > 0 && <span className="count">{formatWhole(found)}</span>}
      </button>
      <Dialog isOpen={isOpen} titleId={titleId} className="dialog--searches" onClose={close}>
        <Content onClose={close} />
      </Dialog>
    </>
  );
};
