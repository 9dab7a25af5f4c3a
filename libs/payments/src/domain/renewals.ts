import type { BillingPeriod } from '@tapedeck/plans/contract';

type Period = Readonly<{ periodStart: string; periodEnd: string }>;

const monthsOf = { monthly: 1, annual: 12 } as const;

const dayOfMonth = (time: string): number => new Date(time).getUTCDate();

/** The renewals after the period, as Stripe computes them: in a month without the day they are on its last one. */
const renewalAfter = ({ periodStart, periodEnd }: Period, months: number): string => {
  const end = new Date(periodEnd);
  // A month that is too short hides the day, and no two in a row are.
  const day = Math.max(dayOfMonth(periodStart), end.getUTCDate());
  const [year, month] = [end.getUTCFullYear(), end.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(day, lastDay));
  const timeOfDay = end.getTime() - Date.UTC(year, end.getUTCMonth(), end.getUTCDate());
  return new Date(midnight + timeOfDay).toISOString();
};

/** The first renewal at or after an instant. */
export const firstRenewalFrom = (period: Period, of: BillingPeriod, notBefore: string): string => {
  let [renewal, periods] = [period.periodEnd, 0];
  while (renewal < notBefore) {
    periods += 1;
    renewal = renewalAfter(period, periods * monthsOf[of]);
  }
  return renewal;
};
