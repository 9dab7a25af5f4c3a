import { tiersWith } from '@tapedeck/plans/contract';
import { useState, type JSX } from 'react';
import { useSelector } from 'react-redux';
import { showError } from '../../../api/succeeded.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { selectFilters } from '../filter-state/filters.slice.ts';
import { addressWithoutPage } from '../filter-state/filters.ts';
import { useExportRightQuery, useLazyExportCsvQuery } from './export.api.ts';

const titleId = 'export-title';

type ForPaidMembersProps = Readonly<{ limit: number; onClose: () => void }>;

const ForPaidMembers = ({ limit, onClose }: ForPaidMembersProps): JSX.Element => (
  <>
    <div className="dialog-body">
      <h2 id={titleId}>CSV export is for paid members</h2>
      <p>
        With {tiersWith('csvExport')} you can export up to {formatWhole(limit)} strategies of a search with
        all their figures. You can save searches and compare strategies without a paid plan.
      </p>
    </div>
    <div className="dialog-actions">
      <button className="btn" type="button" onClick={onClose}>
        Close
      </button>
    </div>
  </>
);

const exportedText = (total: number | undefined, limit: number): string =>
  total === undefined
    ? 'The file is in your downloads'
    : total > limit
      ? `The first ${formatWhole(limit)} of ${formatWhole(total)} strategies are in your downloads`
      : `${formatWhole(total)} ${total === 1 ? 'strategy is' : 'strategies are'} in your downloads`;

type Export = Readonly<{ isBusy: boolean; start: () => Promise<'done' | 'forbidden'> }>;

const useExport = (total: number | undefined, limit: number): Export => {
  const filters = useSelector(selectFilters);
  const [load, { isFetching }] = useLazyExportCsvQuery();
  const start = async (): Promise<'done' | 'forbidden'> => {
    const { error } = await load(addressWithoutPage(filters));
    if (error && 'status' in error && error.status === 403) return 'forbidden';
    // The application redirects to sign-in.
    if (error && 'status' in error && error.status === 401) return 'done';
    if (error) {
      showError(error, {
        title: 'Export failed',
        fallback: 'The file could not be loaded. Try again in a moment.',
      });
    } else {
      showToast({ kind: 'ok', title: 'CSV exported', text: exportedText(total, limit) });
    }
    return 'done';
  };
  return { isBusy: isFetching, start };
};

/** Shown to every member; without the right to export it explains which plans have it. */
export const ExportButton = ({ total }: Readonly<{ total: number | undefined }>): JSX.Element => {
  const { data: right } = useExportRightQuery();
  const limit = right?.limit ?? 10_000;
  const { isBusy, start } = useExport(total, limit);
  const [isExplaining, setExplaining] = useState(false);
  const press = async (): Promise<void> => {
    if (isBusy) return;
    // While the right is not known, the server decides.
    if (right?.allowed === false || (await start()) === 'forbidden') setExplaining(true);
  };
  return (
    <>
      <button
        className="btn btn--quiet tool"
        type="button"
        title="Export CSV"
        aria-label={isBusy ? 'Exporting CSV' : 'Export CSV'}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={() => void press()}
      >
        <Icon name={isBusy ? 'refresh' : 'download'} />
        <span className="tool-text">{isBusy ? 'Exporting' : 'Export CSV'}</span>
      </button>
      <Dialog isOpen={isExplaining} titleId={titleId} onClose={() => setExplaining(false)}>
        <ForPaidMembers limit={limit} onClose={() => setExplaining(false)} />
      </Dialog>
    </>
  );
};
