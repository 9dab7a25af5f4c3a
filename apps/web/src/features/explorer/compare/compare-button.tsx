import { maxCompared } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../../ui/icon.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { compareAdded, compareRemoved, selectCompared, type StateWithCompare } from './compare.slice.ts';

export type CompareButtonProps = Readonly<{ urlId: string; strategyTitle: string }>;

/** Puts the strategy of a card into the tray, or takes it out again. */
export const CompareButton = ({ urlId, strategyTitle }: CompareButtonProps): JSX.Element => {
  const dispatch = useDispatch();
  const isIn = useSelector((state: StateWithCompare) => selectCompared(state).includes(urlId));
  const isFull = useSelector((state: StateWithCompare) => selectCompared(state).length >= maxCompared);
  const toggle = (): void => {
    if (isIn) dispatch(compareRemoved(urlId));
    else if (!isFull) dispatch(compareAdded(urlId));
    else {
      showToast({
        kind: 'danger',
        title: 'Four at most',
        text: 'Take a strategy out of the comparison before you add another',
      });
    }
  };
  return (
    <button
      className="card-act card-act--compare"
      type="button"
      title={isIn ? 'Take out of the comparison' : 'Compare'}
      aria-label={`Compare ${strategyTitle}`}
      aria-pressed={isIn}
      onClick={toggle}
    >
      <Icon name="chart" small />
    </button>
  );
};
