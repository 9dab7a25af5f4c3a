import type { Favourite } from '@tapedeck/favourites/contract';
import { useCallback } from 'react';
import { detailsOf } from '../../api/problem-text.ts';
import { hideToast, showToast } from '../../ui/toasts.tsx';
import { useRemoveFavouriteMutation, useRestoreFavouriteMutation } from './favourites.api.ts';

export type RemovalTexts = Readonly<{ title: string; text: string; failed: string }>;

const failedToRestore = 'Failed to add strategy to favorites';

const showFailed = (text: string, error: unknown): void =>
  showToast({ kind: 'danger', title: 'Error', text, details: detailsOf(error), cause: text });

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
        if (error) showFailed(failedToRestore, error);
        else hideToast(failedToRestore);
      };
      const { error } = await removeFavourite(favourite);
      if (error) return showFailed(failed, error);
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
