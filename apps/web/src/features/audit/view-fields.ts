import type { MembershipView, ViewField } from '@tapedeck/audit/contract';
import { formatMoney, formatTime } from '../../ui/format.ts';

/** The names of the fields, in the order in which they are shown. */
export const fieldNames: Readonly<Record<ViewField, string>> = {
  tier: 'Tier',
  status: 'Status',
  hasAccess: 'Access',
  accessUntil: 'Access until',
  source: 'Based on',
  plan: 'Plan',
  paidUntil: 'Paid until',
  graceUntil: 'Grace until',
  endsAt: 'Ends on',
  nextChargeAt: 'Next charge',
  nextChargeAmount: 'Next amount',
  currency: 'Currency',
  scheduledPlan: 'Scheduled change',
  subscriptionId: 'Subscription',
  stripeStatus: 'Status at Stripe',
  complimentary: 'Complimentary tier',
  complimentaryUntil: 'Complimentary until',
  isDisputed: 'Open dispute',
  paid: 'Total paid',
  refunded: 'Total refunded',
  features: 'Features',
};

export const viewFields = Object.keys(fieldNames) as readonly ViewField[];
export const isViewField = (name: string): name is ViewField => name in fieldNames;

const amounts: readonly string[] = ['nextChargeAmount', 'paid', 'refunded'];
const times: readonly string[] = [
  'accessUntil',
  'paidUntil',
  'graceUntil',
  'endsAt',
  'nextChargeAt',
  'complimentaryUntil',
];

const timeInText = /\d{4}-\d\d-\d\dT[\d:.]+Z/u;

/** A value as text; an em dash for none. */
export const formatValue = (field: string, value: unknown, currency: string | null = null): string => {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'number' && amounts.includes(field)) return formatMoney(value, currency ?? 'usd');
  if (typeof value === 'string' && times.includes(field)) return formatTime(value);
  if (typeof value === 'string') return value.replace(timeInText, formatTime);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Fields that say something: those with a value now or then. */
export const shownFields = (view: MembershipView, changed: ReadonlySet<string>): readonly ViewField[] =>
  viewFields.filter((field) => {
    const value = view[field];
    const isEmpty = value === null || value === false || value === 0 || field === 'currency';
    return changed.has(field) || !isEmpty || field === 'hasAccess';
  });
