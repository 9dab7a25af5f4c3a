import { isSamePlan, paidPlans, type Plan } from '@tapedeck/plans/contract';
import { dayOf, daysAtWhoseEnd, type Days } from './days.ts';
import { piecesOf, type Piece, type Purchase } from './purchase.ts';

/** An invoice that could not be charged at first; `paidAt` is null while it is not paid. */
export type FailedInvoice = Readonly<{ failedAt: number; paidAt: number | null }>;

export type Facts = Readonly<{
  purchases: readonly Purchase[];
  failed: readonly FailedInvoice[];
  /** How long access lasts after a paid period. */
  graceMs: number;
}>;

/** A value for each day. */
type Series = readonly number[];

export type DailyFigures = Readonly<{
  members: readonly Readonly<Plan & { active: Series }>[];
  joined: Series;
  returned: Series;
  churned: Series;
  revenue: readonly Readonly<{ currency: string; amounts: Series }>[];
  failed: Series;
  recovered: Series;
}>;

type Counts = number[];
const zeros = ({ names }: Days): Counts => names.map(() => 0);

const add = (counts: Counts, day: number, amount = 1): void => {
  const before = counts[day];
  if (before !== undefined) counts[day] = before + amount;
};

/** From 1 on, the lowest plan first: of two plans of a member the later one counts. */
const placeOf = (plan: Plan): number => paidPlans.findIndex((one) => isSamePlan(one, plan)) + 1;

/** Counts one member on each day under the best plan at its end. `best` is a place for each day, all of them 0. */
const countBest = (
  active: readonly Counts[],
  days: Days,
  pieces: readonly Piece[],
  best: Uint8Array,
): void => {
  let [from, to] = [best.length, -1];
  for (const piece of pieces) {
    const [first, last] = daysAtWhoseEnd(days, piece) ?? [0, -1];
    const place = placeOf(piece.plan);
    for (let day = first; day <= last; day++) if ((best[day] ?? 0) < place) best[day] = place;
    if (first <= last) [from, to] = [Math.min(from, first), Math.max(to, last)];
  }
  for (let day = from; day <= to; day++) {
    const counts = active[(best[day] ?? 0) - 1];
    if (counts) add(counts, day);
    best[day] = 0;
  }
};

type Spell = Readonly<{ from: number; to: number }>;

/** Times with access without a gap, in order. */
const spellsOf = (pieces: readonly Piece[]): readonly Spell[] => {
  const spells: Spell[] = [];
  for (const { from, to } of pieces.toSorted((a, b) => a.from - b.from)) {
    const last = spells.at(-1);
    if (last && from <= last.to) spells[spells.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else spells.push({ from, to });
  }
  return spells;
};

const membersOf = (pieces: readonly Piece[]): ReadonlyMap<string, readonly Piece[]> => {
  const byMember = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const known = byMember.get(piece.member);
    if (known) known.push(piece);
    else byMember.set(piece.member, [piece]);
  }
  return byMember;
};

type MemberFigures = Pick<DailyFigures, 'members' | 'joined' | 'returned' | 'churned'>;

const memberFigures = (days: Days, pieces: readonly Piece[]): MemberFigures => {
  const active = paidPlans.map(() => zeros(days));
  const [joined, returned, churned] = [zeros(days), zeros(days), zeros(days)];
  const best = new Uint8Array(days.names.length);
  for (const ofMember of membersOf(pieces).values()) {
    countBest(active, days, ofMember, best);
    spellsOf(ofMember).forEach(({ from, to }, index) => {
      if (from <= days.now) add(index === 0 ? joined : returned, dayOf(days, from));
      if (to <= days.now) add(churned, dayOf(days, to));
    });
  }
  const members = paidPlans.map((plan, index) => ({ ...plan, active: active[index] ?? [] }));
  return { members, joined, returned, churned };
};

type Sums = Readonly<{ monthly: Counts; annual: Counts }>;

const revenueOf = (days: Days, pieces: readonly Piece[]): DailyFigures['revenue'] => {
  const byCurrency = new Map<string, Sums>();
  for (const piece of pieces) {
    const [first, last] = daysAtWhoseEnd(days, piece) ?? [0, -1];
    for (const { currency, amount, months } of piece.charges) {
      const sums = byCurrency.get(currency) ?? { monthly: zeros(days), annual: zeros(days) };
      byCurrency.set(currency, sums);
      const counts = months === 1 ? sums.monthly : sums.annual;
      for (let day = first; day <= last; day++) add(counts, day, amount);
    }
  }
  return [...byCurrency]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { monthly, annual }]) => ({
      currency,
      // Rounded once, so that the parts of many members do not add up to an error.
      amounts: monthly.map((amount, day) => Math.round((amount * 12 + (annual[day] ?? 0)) / 12)),
    }));
};

const failureFigures = (
  days: Days,
  invoices: readonly FailedInvoice[],
): Pick<DailyFigures, 'failed' | 'recovered'> => {
  const [failed, recovered] = [zeros(days), zeros(days)];
  for (const { failedAt, paidAt } of invoices) {
    if (failedAt <= days.now) add(failed, dayOf(days, failedAt));
    if (paidAt !== null && paidAt <= days.now) add(recovered, dayOf(days, paidAt));
  }
  return { failed, recovered };
};

/** The figures of each day, by what all purchases were at which time. */
export const figuresOfPieces = (
  pieces: readonly Piece[],
  failed: readonly FailedInvoice[],
  days: Days,
): DailyFigures => ({
  ...memberFigures(days, pieces),
  revenue: revenueOf(days, pieces),
  ...failureFigures(days, failed),
});

/** The same by facts, which count on the day for which they are dated, in whichever order they arrived. */
export const dailyFigures = ({ purchases, failed, graceMs }: Facts, days: Days): DailyFigures =>
  figuresOfPieces(
    purchases.flatMap((purchase) => piecesOf(purchase, graceMs)),
    failed,
    days,
  );
