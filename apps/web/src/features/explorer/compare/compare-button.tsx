import { maxCompared } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../../ui/icon.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { compareAdded, compareRemoved, selectCompared, type StateWithCompare } from './compare.slice.ts';

export type CompareButtonProps = Readonly<{ urlId: string; strategyTitle: string }>;

const useToggle = (urlId: string): Readonly<{ isCompared: boolean; toggle: () => void }> => {
  const dispatch = useDispatch();
  const isCompared = useSelector((state: StateWithCompare) => selectCompared(state).includes(urlId));
  const isFull = useSelector((state: StateWithCompare) => selectCompared(state).length >= maxCompared);
  const toggle = (): void => {
    if (isCompared) dispatch(compareRemoved(urlId));
    else if (!isFull) dispatch(compareAdded(urlId));
    else {
      showToast({
        kind: 'danger',
        title: 'Four strategies at most',
        text: 'Remove a strategy from the comparison before you add another one',
      });
    }
  };
  return { isCompared, toggle };
};

/** Adds the strategy of a card to the comparison, or removes it. */
export const CompareButton = ({ urlId, strategyTitle }: CompareButtonProps): JSX.Element => {
  const { isCompared, toggle } = useToggle(urlId);
  return (
    <button
      className="card-action card-action--compare"
      type="button"
      title={isCompared ? 'Remove from the comparison' : 'Compare'}
      aria-label={`Compare ${strategyTitle}`}
      aria-pressed={isCompared}
      onClick={toggle}
    >
      <Icon name="chart" small />
    </button>
  );
};

export const wideCompareId = 'compare-strategy';

/** The same with a label, on the page of a strategy. */
export const WideCompareButton = ({ urlId, strategyTitle }: CompareButtonProps): JSX.Element => {
  const { isCompared, toggle } = useToggle(urlId);
  return (
    <button
      id={wideCompareId}
      className="btn"
      type="button"
      title={isCompared ? 'Remove from the comparison' : 'Add to the comparison'}
      aria-label={`Compare ${strategyTitle}`}
      aria-pressed={isCompared}
      onClick={toggle}
    >
      <Icon name="chart" className={isCompared ? 'is-on' : ''} />
      Compare
    </button>
  );
};
