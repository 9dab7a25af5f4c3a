import { maxCompared } from '@tapedeck/explorer/contract';
import { isStrategyId } from '@tapedeck/strategies/contract';

const storageKey = 'tapedeck.compare';

/** Ids out of a text that anybody may have written; what makes no sense is left out. */
export const decodeCompared = (text: string | null): readonly string[] =>
  [...new Set((text ?? '').split(','))].filter(isStrategyId).slice(0, maxCompared);

/** What this tab had chosen before it was loaded again. */
export const readCompared = (): readonly string[] => {
  try {
    return decodeCompared(sessionStorage.getItem(storageKey));
  } catch {
    return [];
  }
};

export const storeCompared = (ids: readonly string[]): void => {
  try {
    if (ids.length > 0) sessionStorage.setItem(storageKey, ids.join(','));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
};
