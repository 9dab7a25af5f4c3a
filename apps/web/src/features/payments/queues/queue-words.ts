import { formatDuration } from '../../../ui/duration.ts';
import { formatTime } from '../../../ui/format.ts';

export type Deadline = Readonly<{ text: string; isUrgent: boolean }>;

const daySeconds = 86_400;
const urgentSeconds = 3 * daySeconds;

/** How long is left until a time, or that it has passed. */
export const timeLeft = (until: string, now: string, past: string): Deadline => {
  const seconds = (Date.parse(until) - Date.parse(now)) / 1_000;
  return seconds <= 0
    ? { text: past, isUrgent: true }
    : { text: `${formatDuration(seconds)} left`, isUrgent: seconds < urgentSeconds };
};

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** A value of a subscription as people read it; an em dash for none. */
export const mismatchText = (value: string | null): string => {
  if (value === null) return '—';
  return isTime.test(value) ? formatTime(value) : value;
};

/** @example mismatchField('latestInvoiceId') // 'Latest invoice id' */
export const mismatchField = (field: string): string => {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** Stripe's reasons of a dispute have underscores. */
export const reasonText = (reason: string): string => reason.replaceAll('_', ' ');
