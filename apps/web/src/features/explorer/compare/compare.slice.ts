import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { maxCompared } from '@tapedeck/explorer/contract';
import { isStrategyId } from '@tapedeck/strategies/contract';
import { storedText } from '../../../ui/browser/stored-text.ts';

const stored = storedText('tapedeck.compare', () => sessionStorage);

/** Reads stored ids; what is malformed, repeated or too much is ignored. */
export const decodeCompared = (text: string | null): readonly string[] =>
  [...new Set((text ?? '').split(','))].filter(isStrategyId).slice(0, maxCompared);

/** Keeps the strategies for a reload of this tab. */
export const storeCompared = (ids: readonly string[]): void =>
  stored.write(ids.length > 0 ? ids.join(',') : null);

/** Ids of the strategies to compare, in the order in which they were added. */
export type CompareState = Readonly<{ ids: readonly string[] }>;

export const compareSlice = createSlice({
  name: 'compare',
  initialState: (): CompareState => ({ ids: decodeCompared(stored.read()) }),
  reducers: {
    /** Does nothing when the maximum is reached. */
    compareAdded: ({ ids }: CompareState, { payload }: PayloadAction<string>): CompareState => ({
      ids: ids.includes(payload) || ids.length >= maxCompared ? ids : [...ids, payload],
    }),
    compareRemoved: ({ ids }: CompareState, { payload }: PayloadAction<string>): CompareState => ({
      ids: ids.filter((id) => id !== payload),
    }),
    compareCleared: (): CompareState => ({ ids: [] }),
  },
});

export const { compareAdded, compareRemoved, compareCleared } = compareSlice.actions;

export type StateWithCompare = Readonly<{ compare: CompareState }>;
export const selectCompared = ({ compare }: StateWithCompare): readonly string[] => compare.ids;
