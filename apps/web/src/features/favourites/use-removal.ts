import type { Favourite } from '@tapedeck/favourites/contract';
import { useCallback } from 'react';
import { showToast } from '../../ui/toasts.tsx';
import { useRemoveFavouriteMutation, useRestoreFavouriteMutation } from './favourites.api.ts';

export type RemovalTexts = Readonly<{ title: string; text: string; failed: string }>;

const failedToRestore = 'Failed to add strategy to favorites';

/** Removes a favourite; the toast that confirms it can take it back, with its tags and its place. */
export const useRemoval = (
  { title, text, failed }: RemovalTexts,
  onRestore?: (urlId: string) => void,
): ((favourite: Favourite) => Promise<void>) => {
  const [removeFavourite] = useRemoveFavouriteMutation();
  const [restoreFavourite] = useRestoreFavouriteMutation();
  return useCallback(
    async (favourite) => {
      const restore = async (): Promise<void> => {
        const restoring = restoreFavourite(favourite);
        onRestore?.(favourite.urlId);
        const { error } = await restoring;
        if (error) showToast({ kind: 'danger', title: 'Error', text: failedToRestore });
      };
      const { error } = await removeFavourite(favourite);
      if (error) return showToast({ kind: 'danger', title: 'Error', text: failed });
      const altText = 'Add the strategy to the favorites again';
      showToast({
        kind: 'ok',
        title,
        text,
        action: { label: 'Undo', altText, perform: () => void restore() },
      });
    },
    [title, text, failed, onRestore, removeFavourite, restoreFavourite],
  );
};
