/** Resolves when the browser shows this page again, as it was left: it may keep a page in memory for its Back button. */
export const shownAgain = (): Promise<void> =>
  new Promise((resolve) => {
    const listen = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return;
      window.removeEventListener('pageshow', listen);
      resolve();
    };
    window.addEventListener('pageshow', listen);
  });
