const dayMs = 86_400_000;

/** Stripe charges a renewal about an hour after the period's end; a day later something should be known. */
export const checkDelayMs = dayMs;

export const daysAfter = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * dayMs).toISOString();

/** When to check what became of a subscription whose paid period is over, or which ends before. */
export const checkAtOf = (paidUntil: string, endsAt: string | null): string => {
  const end = endsAt !== null && endsAt < paidUntil ? endsAt : paidUntil;
  return new Date(Date.parse(end) + checkDelayMs).toISOString();
};
