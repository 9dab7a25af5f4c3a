import type { Favourite } from '@tapedeck/favourites/contract';
import { useState, type JSX } from 'react';
import { detailsOf } from '../../api/problem-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAddFavouriteMutation, useFavouritesQuery } from './favourites.api.ts';
import { usePendingChanges } from './use-favourites.ts';
import { useRemoval } from './use-removal.ts';

type Toggle = Readonly<{ isStarred: boolean; isBusy: boolean; toggle: () => Promise<void> }>;

const added = { title: 'Added to favorites', text: 'Strategy has been saved to your favorites' } as const;
const failedToAdd = 'Failed to add strategy to favorites';
const removal = {
  title: 'Removed from favorites',
  text: 'Strategy has been removed from your favorites',
  failed: 'Failed to remove strategy from favorites',
} as const;

/** Of a favourite that the list does not contain yet. */
const newFavourite = (urlId: string): Favourite => ({
  urlId,
  tags: [],
  addedAt: new Date().toISOString(),
  etag: '',
  strategy: null,
});

const useToggle = (urlId: string): Toggle => {
  const { favourite, isKnown, isFetching } = useFavouritesQuery(undefined, {
    selectFromResult: ({ data, isSuccess, isError, isFetching }) => ({
      favourite: data?.find((each) => each.urlId === urlId),
      isKnown: isSuccess || isError,
      isFetching,
    }),
  });
  const change = usePendingChanges().get(urlId);
  const [add, { isLoading }] = useAddFavouriteMutation();
  const remove = useRemoval(removal);
  // What the person has just added, until the list confirms it.
  const [isAdded, setAdded] = useState(false);
  if (isAdded && favourite && !isLoading && !isFetching) setAdded(false);
  const isStarred = change ? change.isPresent : favourite !== undefined || isAdded;
  const isBusy = isLoading || (change !== undefined && !change.isDone);

  const toggle = async (): Promise<void> => {
    if (isBusy || !isKnown) return;
    if (isStarred) {
      setAdded(false);
      return remove(change?.favourite ?? favourite ?? newFavourite(urlId));
    }
    setAdded(true);
    const { error } = await add(urlId);
    if (error) setAdded(false);
    showToast(
      error
        ? { kind: 'danger', title: 'Error', text: failedToAdd, details: detailsOf(error) }
        : { kind: 'ok', ...added },
    );
  };
  return { isStarred, isBusy: isBusy || !isKnown, toggle };
};

export type StarButtonProps = Readonly<{ urlId: string; strategyTitle: string }>;

/** State and button properties that both stars share. */
const useStar = ({ urlId, strategyTitle }: StarButtonProps) => {
  const { isStarred, isBusy, toggle } = useToggle(urlId);
  const title = isStarred ? 'Remove from favorites' : 'Add to favorites';
  const buttonProps = {
    type: 'button',
    title,
    'aria-label': `${title}: ${strategyTitle}`,
    'aria-pressed': isStarred,
    // Not `disabled`: a disabled button loses the focus.
    'aria-disabled': isBusy,
    onClick: () => void toggle(),
  } as const;
  return { isStarred, buttonProps };
};

/** The star on a card. */
export const StarButton = (props: StarButtonProps): JSX.Element => (
  <button className="card-action" {...useStar(props).buttonProps}>
    <Icon name="star" small />
  </button>
);

/** The star with a label, on the page of a strategy. */
export const WideStarButton = (props: StarButtonProps): JSX.Element => {
  const { isStarred, buttonProps } = useStar(props);
  const label = isStarred ? 'In favorites' : 'Add to Favorites';
  return (
    <button className="btn" {...buttonProps} aria-label={`${label}: ${props.strategyTitle}`}>
      <Icon name="star" className={isStarred ? 'icon--fill is-on' : ''} />
      {label}
    </button>
  );
};
