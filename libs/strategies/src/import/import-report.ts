import type { Position } from '@tapedeck/eventing';
import type { ImportId } from '../domain/ids.ts';
import type {
  Duplicate,
  ImportCounts,
  ImportSource,
  Rejection,
  StrategyImport,
} from '../domain/strategy-import.ts';

/** How an import ended, in the words of its stream. */
export type ImportReport = ImportCounts &
  Readonly<{
    importId: ImportId;
    source: ImportSource;
    /** Why nothing more went in; null when it was read to its end. */
    failure: Readonly<{ code: string; reason: string }> | null;
    /** The first thousand; `rejected` counts all. */
    rejections: readonly Rejection[];
    /** The first hundred; `duplicateCount` counts all. */
    duplicates: readonly Duplicate[];
    duplicateCount: number;
    /** Where the import ends on the tape. */
    position: Position;
  }>;

/** Null as long as the import has not ended. */
export const reportOf = (
  importId: ImportId,
  state: StrategyImport,
  position: Position,
): ImportReport | null => {
  if (state.status === 'new' || state.status === 'running') return null;
  const { source, rejections, outcome } = state;
  const { added, revised, unchanged, rejected } = outcome;
  const common = { importId, source, added, revised, unchanged, rejected, rejections, position };
  if ('code' in outcome) {
    const failure = { code: outcome.code, reason: outcome.reason };
    return { ...common, failure, duplicates: [], duplicateCount: 0 };
  }
  const { duplicates, duplicateCount } = outcome;
  return { ...common, failure: null, duplicates, duplicateCount };
};

/** Something of it is in the catalogue now, or was there already. */
export const wentIn = ({ added, revised, unchanged }: ImportCounts): boolean =>
  added + revised + unchanged > 0;
