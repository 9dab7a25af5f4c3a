import { lanes, type Lane, type MarkKind, type TapeDeck } from '@tapedeck/audit/contract';
import { shareOf, type DeckRange } from './deck-scale.ts';

/** Events of one lane that are too near to each other to be drawn apart. */
export type Mark = Readonly<{
  /** In per cent of the tape. */
  x: number;
  /** Of the newest and the oldest event. */
  last: number;
  first: number;
  count: number;
  isFailure: boolean;
  /** The types, the most frequent first. */
  types: readonly string[];
}>;

export type LaneMarks = Readonly<{ lane: Lane; marks: readonly Mark[] }>;

/** A mark is 10 px wide: more columns would only draw over each other. */
const columns = 400;

type Column = { last: number; first: number; count: number; isFailure: boolean; types: Map<string, number> };

const addTo = (column: Column | undefined, time: number, { type, isFailure }: MarkKind): Column => {
  const { last = time, first = time, count = 0, types = new Map<string, number>() } = column ?? {};
  types.set(type, (types.get(type) ?? 0) + 1);
  return {
    last: Math.max(last, time),
    first: Math.min(first, time),
    count: count + 1,
    isFailure: isFailure || (column?.isFailure ?? false),
    types,
  };
};

const markOf = (range: DeckRange, { types, ...column }: Column): Mark => ({
  ...column,
  x: shareOf(range, column.last),
  types: [...types].sort(([, a], [, b]) => b - a).map(([type]) => type),
});

/** What is drawn in each lane: at most one mark for each place, in which a failure shows. */
export const laneMarks = ({ kinds, marks }: TapeDeck, range: DeckRange): readonly LaneMarks[] => {
  const drawn = new Map<Lane, Map<number, Column>>(lanes.map((lane) => [lane, new Map()]));
  for (const [time, place] of marks) {
    const kind = kinds[place];
    const ofLane = kind && drawn.get(kind.lane);
    if (!ofLane) continue;
    const column = Math.round((shareOf(range, time) / 100) * columns);
    ofLane.set(column, addTo(ofLane.get(column), time, kind));
  }
  return lanes.map((lane) => ({
    lane,
    marks: [...(drawn.get(lane)?.values() ?? [])].map((column) => markOf(range, column)),
  }));
};

/** The time of the mark that is nearest to a place, if one is near. */
export const nearestTime = (all: readonly LaneMarks[], x: number, distance: number): number | undefined =>
  all
    .flatMap(({ marks }) => marks)
    .reduce<Mark | undefined>(
      (near, mark) => (Math.abs(mark.x - x) <= (near ? Math.abs(near.x - x) : distance) ? mark : near),
      undefined,
    )?.last;
