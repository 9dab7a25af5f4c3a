// These functions run in the page and cannot use anything outside their own body.

/** Reports a page that is wider than the window. */
export const overflow = (): readonly string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth} in ${clientWidth}`] : [];
};

/** Texts that are cut off without an ellipsis. */
export const clippedTexts = (): readonly string[] => {
  const hasOwnText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => hasOwnText(element) && element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.closest('.visually-hidden, .skip, pre, select'))
    .filter((element) => {
      const { display, textOverflow, webkitLineClamp, clipPath, clip } = getComputedStyle(element);
      const isForScreenReaders = clipPath === 'inset(50%)' || clip !== 'auto';
      const isHandled = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || isForScreenReaders;
      return display !== 'inline' && !isHandled && element.scrollWidth > element.clientWidth + 1;
    })
    .map((element) => `${element.className || element.tagName}: ${element.textContent?.slice(0, 60)}`);
};

/** Controls smaller than 24 px, except links within a sentence. */
export const smallTargets = (): readonly string[] => {
  const targets = 'a[href], button, input, select, textarea, summary, .thumb';
  return [...document.querySelectorAll<HTMLElement>(targets)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'))
    .filter((element) => !element.matches('.skip, .scrim, .thumb input, p a'))
    .map((element) => ({
      element,
      box: (element.closest('label') ?? element).getBoundingClientRect(),
      // A card's link covers the whole card with its ::after.
      cover: getComputedStyle(element, '::after').position === 'absolute',
    }))
    .filter(({ box, cover }) => !cover && (box.width < 23.5 || box.height < 23.5))
    .map(
      ({ element, box }) =>
        `${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}: ` +
        `${Math.round(box.width)} × ${Math.round(box.height)}`,
    );
};
