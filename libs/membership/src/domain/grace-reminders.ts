import { dayMs } from '@tapedeck/kernel';
export type GraceReminder = Readonly<{ which: 'middle' | 'last'; at: string }>;

/**
 * When a member is reminded of a renewal that is not paid, besides the first day, on which the mail about the failure goes: in
 * the middle of the grace, and a day before its end. A grace of two days or less has the last one only.
 */
export const graceReminders = (since: string, until: string): readonly GraceReminder[] => {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const last = to - dayMs;
  const middle = from + (to - from) / 2;
  const reminders = [
    { which: 'middle', at: middle },
    { which: 'last', at: last },
  ] as const;
  return reminders
    .filter(({ which, at }) => at > from && (which === 'last' || at < last))
    .map(({ which, at }) => ({ which, at: new Date(at).toISOString() }));
};
