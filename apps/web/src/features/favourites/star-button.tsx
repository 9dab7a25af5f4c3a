import { useState, type JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAddFavouriteMutation, useFavouritesQuery, useRemoveFavouriteMutation } from './favourites.api.ts';

type Toggle = Readonly<{ isStarred: boolean; isBusy: boolean; toggle: () => Promise<void> }>;

const messages = {
  add: {
    done: { title: 'Added to favorites', text: 'Strategy has been saved to your favorites' },
    failed: 'Failed to add strategy to favorites',
  },
  remove: {
    done: { title: 'Removed from favorites', text: 'Strategy has been removed from your favorites' },
    failed: 'Failed to remove strategy from favorites',
  },
} as const;

const useToggle = (urlId: string): Toggle => {
  const { isSaved, isKnown, isFetching } = useFavouritesQuery(undefined, {
    selectFromResult: ({ data, isSuccess, isError, isFetching }) => ({
      isSaved: data?.some((favourite) => favourite.urlId === urlId) ?? false,
      isKnown: isSuccess || isError,
      isFetching,
    }),
  });
  const [add, adding] = useAddFavouriteMutation();
  const [remove, removing] = useRemoveFavouriteMutation();
  // What the person has just chosen, until the list confirms it.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isBusy = adding.isLoading || removing.isLoading;
  if (wanted !== null && wanted === isSaved && !isBusy && !isFetching) setWanted(null);
  const isStarred = wanted ?? isSaved;

  const toggle = async (): Promise<void> => {
    if (isBusy || !isKnown) return;
    const { done, failed } = isStarred ? messages.remove : messages.add;
    setWanted(!isStarred);
    const { error } = await (isStarred ? remove(urlId) : add(urlId));
    if (error) setWanted(null);
    showToast(error ? { kind: 'danger', title: 'Error', text: failed } : { kind: 'ok', ...done });
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
  return (
    <button className="btn" {...buttonProps}>
      <Icon name="star" className={isStarred ? 'icon--fill is-on' : ''} />
      {isStarred ? 'In favorites' : 'Add to Favorites'}
    </button>
  );
};
