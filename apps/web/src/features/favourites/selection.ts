/** Which rows are selected, and the row from which a range is counted. */
export type Selection = Readonly<{ ids: ReadonlySet<string>; anchor: string | null }>;

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

const withIds = (ids: ReadonlySet<string>, changed: readonly string[], isSelected: boolean): Set<string> => {
  const next = new Set(ids);
  for (const id of changed) {
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  return next;
};

/** From one row to another, both included, in the order in which they are shown. */
const rangeOf = (shown: readonly string[], from: string, to: string): readonly string[] => {
  const [start = -1, end = -1] = [shown.indexOf(from), shown.indexOf(to)].sort((a, b) => a - b);
  return start < 0 ? [to] : shown.slice(start, end + 1);
};

/** A click on the box of a row; with Shift all rows from the last click to it become what it becomes. */
export const toggled = (
  { ids, anchor }: Selection,
  id: string,
  shown: readonly string[],
  isRange: boolean,
): Selection => {
  const changed = isRange && anchor !== null ? rangeOf(shown, anchor, id) : [id];
  return { ids: withIds(ids, changed, !ids.has(id)), anchor: id };
};

/** Adds rows, as Shift with an arrow key does. */
export const extended = ({ ids }: Selection, from: string, to: string): Selection => ({
  ids: withIds(ids, [from, to], true),
  anchor: to,
});

export const allSelected = (shown: readonly string[]): Selection => ({ ids: new Set(shown), anchor: null });

/** A row that is not shown is not selected either: nothing changes unseen. */
export const selectedOf = ({ ids }: Selection, shown: readonly string[]): readonly string[] =>
  shown.filter((id) => ids.has(id));
