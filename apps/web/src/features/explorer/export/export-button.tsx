import { useState, type JSX } from 'react';
import { useSelector } from 'react-redux';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { useExportRightQuery, useLazyExportCsvQuery } from './export.api.ts';
import { storedForm } from '../filter-state/filter-storage.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

const titleId = 'export-title';

type ForPaidMembersProps = Readonly<{ limit: number; onClose: () => void }>;

const ForPaidMembers = ({ limit, onClose }: ForPaidMembersProps): JSX.Element => (
  <>
    <div className="dialog-body">
      <h2 id={titleId}>CSV export is for paid members</h2>
      <p>
        With Pro or Elite you take up to {formatWhole(limit)} strategies of a search into your spreadsheet,
        with all their figures. Saving searches and comparing strategies are yours already.
      </p>
    </div>
    <div className="dialog-actions">
      <button className="btn" type="button" onClick={onClose}>
        Close
      </button>
    </div>
  </>
);

const exportedWords = (total: number | undefined, limit: number): string =>
  total === undefined
    ? 'The file is in your downloads'
    : total > limit
      ? `The first ${formatWhole(limit)} of ${formatWhole(total)} strategies are in your downloads`
      : `${formatWhole(total)} ${total === 1 ? 'strategy is' : 'strategies are'} in your downloads`;

type Export = Readonly<{ isBusy: boolean; start: () => Promise<'done' | 'forbidden'> }>;

const useExport = (total: number | undefined, limit: number): Export => {
  const { filters } = useSelector(selectExplorer);
  const [load, { isFetching }] = useLazyExportCsvQuery();
  const start = async (): Promise<'done' | 'forbidden'> => {
    const { error } = await load(storedForm(filters));
    if (error && 'status' in error && error.status === 403) return 'forbidden';
    // Who is signed out is led through sign-in by the application.
    if (error && 'status' in error && error.status === 401) return 'done';
    showToast(
      error
        ? {
            kind: 'danger',
            title: 'Export failed',
            text:
              ('detail' in error && error.detail) || 'The file could not be loaded. Try again in a moment.',
          }
        : { kind: 'ok', title: 'CSV exported', text: exportedWords(total, limit) },
    );
    return 'done';
  };
  return { isBusy: isFetching, start };
};

/** Everybody sees it; who has no right to it is told what it takes. */
export const ExportButton = ({ total }: Readonly<{ total: number | undefined }>): JSX.Element => {
  const { data: right } = useExportRightQuery();
  const limit = right?.limit ?? 10_000;
  const { isBusy, start } = useExport(total, limit);
  const [isExplaining, setExplaining] = useState(false);
  const press = async (): Promise<void> => {
    if (isBusy) return;
    // As long as the right is not known, the server is asked and says.
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
        <span className="tool-words">{isBusy ? 'Exporting' : 'Export CSV'}</span>
      </button>
      <Dialog isOpen={isExplaining} titleId={titleId} onClose={() => setExplaining(false)}>
        <ForPaidMembers limit={limit} onClose={() => setExplaining(false)} />
      </Dialog>
    </>
  );
};
