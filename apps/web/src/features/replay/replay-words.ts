import type { ReplayModeName, ReplayTargetBody } from '@tapedeck/replay/contract';
import { formatMoney, formatTime } from '../../ui/format.ts';

export type TargetKind = ReplayTargetBody['kind'];

type ModeWords = Readonly<{ name: string; text: string; targets: readonly TargetKind[] }>;

/** In the order in which they are offered. */
export const modes: Readonly<Record<ReplayModeName, ModeWords>> = {
  refetch: {
    name: 'Fetch missing events',
    text: 'Asks Stripe for events of the last 30 days that it could not deliver, and brings them in. For a time it asks for all events, which also helps after a backup was restored.',
    targets: ['member', 'subscription', 'event', 'window'],
  },
  reread: {
    name: 'Read Stripe again',
    text: 'Reads the subscriptions as they are at Stripe now, and shows where we differ.',
    targets: ['member', 'subscription', 'event'],
  },
  retry: {
    name: 'Handle events again',
    text: 'Takes events that wait, have failed or are parked, and handles them once more.',
    targets: ['member', 'subscription', 'event'],
  },
  rebuild: {
    name: 'Rebuild and compare',
    text: 'Derives everything again from the tape, and compares it with what the product shows.',
    targets: ['member', 'subscription'],
  },
};

export const targetKinds: readonly Readonly<{ kind: TargetKind; name: string }>[] = [
  { kind: 'member', name: 'Member' },
  { kind: 'subscription', name: 'Subscription' },
  { kind: 'event', name: 'Event' },
  { kind: 'window', name: 'Time' },
];

/** `name` is that of the member, where it is known. */
export const targetText = (target: ReplayTargetBody, name: string | null = null): string => {
  switch (target.kind) {
    case 'member':
      return name ?? `Member ${target.accountId}`;
    case 'subscription':
      return `Subscription ${target.subscriptionId}`;
    case 'event':
      return `Event ${target.eventId}`;
    case 'window':
      return `${formatTime(target.from)} to ${formatTime(target.to)} UTC`;
    default:
      return target satisfies never;
  }
};

/** @example fieldName('paid_until') // 'Paid until' */
export const fieldName = (column: string): string => {
  const words = column.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** A value of a column as people read it; an em dash for none. */
export const valueText = (column: string, value: string | null): string => {
  if (value === null) return '—';
  if (time.test(value)) return formatTime(value);
  if (column === 'amount' && /^\d+$/.test(value)) return formatMoney(Number(value));
  if (value === 'true' || value === 'false') return value === 'true' ? 'yes' : 'no';
  return value;
};

/** @example counted(2, 'event') // '2 events' */
export const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

export const tryFailedText = 'The dry run has failed, and nothing was changed: try again in a moment.';
