import { dayMs } from '@tapedeck/kernel';

const format = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** @example dayOf('2027-03-03T10:00:00.000Z') // 'Mar 3, 2027' */
export const dayOf = (time: string): string => format.format(new Date(time));

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
