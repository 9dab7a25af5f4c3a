import { useId, type JSX, type ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';
import { useFocusAfterRemoval } from './browser/use-focus-after-removal.ts';
import { InlineError, type Problem } from './inline-error.tsx';

export type ListEndProps = Readonly<{
  /** Of the button that shows more. */
  label: ReactNode;
  hasMore: boolean;
  isBusy: boolean;
  /** Why more could not be shown. */
  problem?: Problem | null;
  /** Stands in the place of the button when all is shown. */
  end: string;
  onMore: () => void;
}>;

/** The end of a list that is read page by page, for as long as it has more than one: the focus stays here while it is read to its end. */
export const ListEnd = ({ label, hasMore, isBusy, problem, end, onMore }: ListEndProps): JSX.Element => {
  const endId = useId();
  const container = useFocusAfterRemoval<HTMLDivElement>(endId);
  return (
    <div ref={container} className="stack">
      <InlineError problem={problem} />
      {hasMore ? (
        <ActionButton className="btn btn--sm" type="button" isBusy={isBusy} onClick={onMore}>
          {label}
        </ActionButton>
      ) : (
        <p className="meta" id={endId} tabIndex={-1}>
          {end}
        </p>
      )}
    </div>
  );
};
