import { useCallback, useEffect, useState, type JSX } from 'react';
import { useDispatch } from 'react-redux';
import { staleAfterSeconds } from '../../api/base-api.ts';
import { useCommands } from '../../ui/browser/shortcuts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SaveSearchForm } from './save-search-form.tsx';
import { SavedSearchList } from './saved-search-list.tsx';
import { catalogueChanged, useSavedSearchesQuery } from './saved-searches.api.ts';
import { totalNewMatches, type DescribeSearch } from './saved-searches.ts';

const titleId = 'saved-searches-title';

export type SavedSearchesButtonProps = Readonly<{
  /** Address of the search on the screen. */
  address: string;
  describe: DescribeSearch;
  /** The catalogue has changed, and so perhaps the number of new matches. */
  hasUpdates: boolean;
}>;

const Loading = (): JSX.Element => (
  <div className="saved-search-skeleton">
    <p className="visually-hidden" role="status">
      Loading saved searches
    </p>
    <span className="skeleton" aria-hidden="true" />
    <span className="skeleton" aria-hidden="true" />
  </div>
);

type ContentProps = Pick<SavedSearchesButtonProps, 'address' | 'describe'> &
  Readonly<{ onClose: () => void }>;

const Content = ({ address, describe, onClose }: ContentProps): JSX.Element => {
  const {
    data: searches,
    error,
    isFetching,
    refetch,
  } = useSavedSearchesQuery(undefined, {
    refetchOnMountOrArgChange: staleAfterSeconds,
  });
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>Saved searches</h2>
        <SaveSearchForm address={address} describe={describe} searches={searches ?? []} onSaved={onClose} />
        {searches && (
          <SavedSearchList searches={searches} address={address} describe={describe} onApplied={onClose} />
        )}
        {!searches && !error && <Loading />}
        {!searches && error && (
          <RetryNotice
            text="Your saved searches could not be loaded."
            details={detailsOf(error)}
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

const matchesText = (count: number): string =>
  `${formatWhole(count)} new ${count === 1 ? 'match' : 'matches'}`;

/** Opens the dialog of saved searches; its badge counts new matches. */
export const SavedSearchesButton = (props: SavedSearchesButtonProps): JSX.Element => {
  const { address, describe, hasUpdates } = props;
  const [isOpen, setOpen] = useState(false);
  const dispatch = useDispatch();
  const { data: searches } = useSavedSearchesQuery(undefined, {
    refetchOnMountOrArgChange: staleAfterSeconds,
  });
  const close = useCallback(() => setOpen(false), []);
  const newMatches = totalNewMatches(searches ?? []);
  useCommands([{ id: 'saved-searches', key: 's', label: 'Saved searches', perform: () => setOpen(true) }]);
  useEffect(() => {
    if (hasUpdates) dispatch(catalogueChanged());
  }, [dispatch, hasUpdates]);
  return (
    <>
      <button
        className="btn btn--quiet tool"
        type="button"
        title="Saved searches"
        aria-label={newMatches > 0 ? `Saved searches, ${matchesText(newMatches)}` : 'Saved searches'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="save" />
        <span className="tool-text">Saved searches</span>
        {newMatches > 0 && <span className="count">{formatWhole(newMatches)}</span>}
      </button>
      <Dialog isOpen={isOpen} titleId={titleId} className="dialog--searches" onClose={close}>
        <Content address={address} describe={describe} onClose={close} />
      </Dialog>
    </>
  );
};
