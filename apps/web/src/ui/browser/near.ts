/** About one flick of the wheel before it is seen. */
const distance = '400px';

/** Resolves when the element is nearly on the screen. */
export const isElementNear = (element: Element): Promise<void> =>
  new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: distance },
    );
    observer.observe(element);
  });
