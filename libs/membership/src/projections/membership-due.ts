import { defineProjection, dueDatesTable, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import { graceReminders } from '../domain/grace-reminders.ts';
import { checkAtOf, type MembershipEvent, membershipEvents } from '../domain/membership.ts';

const table = 'membership_due';

type Due = Readonly<{ stream: string; kind: string }>;

const put = (key: Due, at: string, details: Readonly<Record<string, string>>): RowChange => ({
  op: 'put',
  table,
  key,
  row: { due_at: at, details },
});
const remove = (key: Due): RowChange => ({ op: 'remove', table, key });

const changesOf = ({ type, data, stream }: RecordedEvent<MembershipEvent>): readonly RowChange[] => {
  const { accountId } = data;
  if (type === 'ComplimentaryAccessGranted' || type === 'ComplimentaryAccessEnded') {
    const { grantId } = data;
    const key = { stream, kind: `grant ${grantId}` };
    const until = type === 'ComplimentaryAccessGranted' ? data.until : null;
    return until === null ? [remove(key)] : [put(key, until, { accountId, grantId })];
  }
  const { subscriptionId } = data;
  const details = { accountId, subscriptionId };
  const check = { stream, kind: `renewal ${subscriptionId}` };
  const grace = { stream, kind: `grace ${subscriptionId}` };
  const reminder = (which: string): Due => ({ stream, kind: `reminder-${which} ${subscriptionId}` });
  const removeReminders = [remove(reminder('middle')), remove(reminder('last'))];
  switch (type) {
    case 'MembershipActivated':
    case 'MembershipRenewed':
    case 'MembershipReinstated':
      return [remove(grace), ...removeReminders, put(check, checkAtOf(data.paidUntil, null), details)];
    case 'GraceStarted': {
      const { since, until } = data;
      const reminders = graceReminders(since, until);
      const lastAt = reminders.at(-1)?.at ?? until;
      return [
        remove(check),
        put(grace, until, details),
        ...reminders.map(({ which, at }) => put(reminder(which), at, { ...details, which, until, lastAt })),
      ];
    }
    case 'GraceReminderDue':
      return [remove(reminder(data.which))];
    case 'MembershipSuspended':
    case 'MembershipEnded':
      return [remove(check), remove(grace), ...removeReminders];
    case 'MembershipOpened':
    case 'PaidPeriodCorrected':
    case 'TierChanged':
    case 'CancellationScheduled':
    case 'CancellationWithdrawn':
    case 'EntitlementNoted':
      return [];
    default:
      return type satisfies never;
  }
};

/** When to check a membership again: after its paid period, in and after its grace, at the end of a grant. */
export const membershipDue = defineProjection<MembershipEvent>({
  name: 'membership_due',
  version: 2,
  database: 'tapedeck',
  replay: { compares: { membership_due: 'Date of the membership' } },
  types: membershipEvents,
  tables: [dueDatesTable(table)],
  fold: (events) => events.flatMap(changesOf),
});
