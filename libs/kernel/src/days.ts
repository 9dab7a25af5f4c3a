/** A day without leap seconds, as UTC has it. */
export const dayMs = 86_400_000;

/** The ISO time so many times 24 hours later, or earlier for a negative number. */
export const daysAfter = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * dayMs).toISOString();
