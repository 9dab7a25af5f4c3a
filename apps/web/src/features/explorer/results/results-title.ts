export const resultsTitleId = 'results-title';

/** Where the focus goes when what had it leaves with a change of the filters. */
export const focusResults = (): void =>
  document.getElementById(resultsTitleId)?.focus({ preventScroll: true });
