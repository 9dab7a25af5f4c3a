import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { maxCompared } from '@tapedeck/explorer/contract';
import { readCompared } from './compare-storage.ts';

/** The strategies in the tray by their ids, in the order in which they were chosen. */
export type CompareState = Readonly<{ ids: readonly string[] }>;

export const compareSlice = createSlice({
  name: 'compare',
  initialState: (): CompareState => ({ ids: readCompared() }),
  reducers: {
    /** One more than there is room for changes nothing. */
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
