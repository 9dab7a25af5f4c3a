import { tiersWith } from '@tapedeck/plans/contract';
import { useState, type JSX } from 'react';
import { showError } from '../../api/succeeded.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { UpgradeLink } from '../../ui/upgrade-notice.tsx';
import { useLazyExportFavouritesQuery } from './favourites.api.ts';
import type { FavouritesOrder } from './order.ts';

const titleId = 'export-favorites-title';

const ForPaidMembers = ({ onClose }: Readonly<{ onClose: () => void }>): JSX.Element => (
  <>
    <div className="dialog-body">
      <h2 id={titleId}>CSV export is for paid members</h2>
      <p>
        With {tiersWith('csvExport')} you can export your favorites with their tags and all their figures. You
        can keep, tag and sort them without a paid plan.
      </p>
    </div>
    <div className="dialog-actions">
      <button className="btn btn--sm" type="button" onClick={onClose}>
        Close
      </button>
      <UpgradeLink />
    </div>
  </>
);

const queryOf = ({ tags, sort, order }: FavouritesOrder): string =>
  new URLSearchParams([
    ...tags.map((tag): [string, string] => ['tag', tag]),
    ['sort_by', sort],
    ['sort_order', order],
  ]).toString();

const exportedText = (count: number): string =>
  `${formatWhole(count)} ${count === 1 ? 'favorite is' : 'favorites are'} in your downloads`;

export type ExportButtonProps = Readonly<{
  state: FavouritesOrder;
  /** How many favourites the file will contain. */
  count: number;
  /** Whether the member's plan includes it; undefined while that is not known. */
  isIncluded: boolean | undefined;
}>;

/** Exports what is shown. Shown to every member; without the right to export it explains which plans have it. */
export const ExportButton = ({ state, count, isIncluded }: ExportButtonProps): JSX.Element => {
  const [load, { isFetching }] = useLazyExportFavouritesQuery();
  const [isExplaining, setExplaining] = useState(false);
  const press = async (): Promise<void> => {
    if (isFetching || isIncluded === undefined) return;
    if (!isIncluded) return setExplaining(true);
    const { error } = await load(queryOf(state));
    // The application redirects to sign-in.
    if (error && 'status' in error && error.status === 401) return;
    if (!error) return showToast({ kind: 'ok', title: 'CSV exported', text: exportedText(count) });
    showError(error, {
      title: 'Export failed',
      fallback: 'The file could not be loaded. Try again in a moment.',
    });
  };
  return (
    <>
      <button
        className="btn"
        type="button"
        aria-busy={isFetching}
        aria-disabled={isFetching || isIncluded === undefined}
        onClick={() => void press()}
      >
        <Icon name={isFetching ? 'refresh' : 'download'} />
        {isFetching ? 'Exporting' : 'Export CSV'}
      </button>
      <Dialog isOpen={isExplaining} titleId={titleId} onClose={() => setExplaining(false)}>
        <ForPaidMembers onClose={() => setExplaining(false)} />
      </Dialog>
    </>
  );
};
