// These run in the page: each stands on its own and knows nothing outside of it.

/** The page, where it is wider than the window. */
export const overflow = (): readonly string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth} in ${clientWidth}`] : [];
};

/** Texts that do not fit their box and have no ellipsis to say so. */
export const clippedTexts = (): readonly string[] => {
  const hasOwnText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => hasOwnText(element) && element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.closest('.visually-hidden, .skip, pre, select'))
    .filter((element) => {
      const { display, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(element);
      const isForReaders = clipPath === 'inset(50%)';
      const isTreated = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || isForReaders;
      return display !== 'inline' && !isTreated && element.scrollWidth > element.clientWidth + 1;
    })
    .map((element) => `${element.className || element.tagName}: ${element.textContent?.slice(0, 60)}`);
};

/** Things to press that are smaller than 24 px, but for links within a sentence. */
export const smallTargets = (): readonly string[] => {
  const targets = 'a[href], button, input, select, textarea, summary, .thumb';
  return [...document.querySelectorAll<HTMLElement>(targets)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'))
    .filter((element) => !element.matches('.skip, .scrim, .thumb input, p a'))
    .map((element) => ({
      element,
      box: (element.closest('label') ?? element).getBoundingClientRect(),
      // A link may have its area drawn over its card.
      cover: getComputedStyle(element, '::after').position === 'absolute',
    }))
    .filter(({ box, cover }) => !cover && (box.width < 23.5 || box.height < 23.5))
    .map(
      ({ element, box }) =>
        `${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}: ` +
        `${Math.round(box.width)} × ${Math.round(box.height)}`,
    );
};
