import {
  defineReaction,
  dispatch,
  type Dispatch,
  type DueDates,
  type DueRow,
  type Reaction,
} from '@tapedeck/eventing';
import { accountId } from '@tapedeck/kernel';
import type { EntitlementChanged } from '@tapedeck/payments/events';
import { memberships } from './domain/decide.ts';
import { followsPayments } from './queries/followed-payments.ts';
import { membershipStream } from './domain/membership.ts';

export { membershipEffects, type MembershipPorts } from './effects/mails.ts';

/** Brings the membership of an account to what its subscriptions entitle it to. */
export const membershipReactions = ({
  GRACE_DAYS: graceDays,
}: Readonly<{ GRACE_DAYS: number }>): readonly Reaction[] => [
  defineReaction<EntitlementChanged>({
    name: followsPayments,
    types: { EntitlementChanged: true },
    react: ({ data: entitlement, metadata, version }) => {
      const command = {
        type: 'FollowEntitlement',
        entitlement,
        version,
        graceDays,
        now: metadata.occurredAt,
      } as const;
      return [dispatch(memberships, membershipStream(entitlement.accountId), command)];
    },
  }),
];

const textIn = ({ details }: DueRow, name: string): string => String(details[name]);

const commandFor = (row: DueRow, now: string): Dispatch => {
  const { stream, kind } = row;
  const account = accountId(textIn(row, 'accountId'));
  if (kind.startsWith('grant ')) {
    const grantId = textIn(row, 'grantId');
    return dispatch(memberships, stream, {
      type: 'EndComplimentaryAccess',
      accountId: account,
      grantId,
      now,
    });
  }
  const subscriptionId = textIn(row, 'subscriptionId');
  if (kind.startsWith('reminder-')) {
    return dispatch(memberships, stream, {
      type: 'RemindOfGrace',
      accountId: account,
      subscriptionId,
      which: textIn(row, 'which') === 'last' ? 'last' : 'middle',
      until: textIn(row, 'until'),
      lastAt: textIn(row, 'lastAt'),
    });
  }
  const type = kind.startsWith('grace ') ? 'EndGrace' : 'CheckRenewal';
  return dispatch(memberships, stream, { type, accountId: account, subscriptionId, now });
};

export const membershipDueDates: readonly DueDates[] = [
  {
    name: 'membership-due-dates',
    projection: 'membership_due',
    table: 'membership_due',
    dispatch: (row, now) => [commandFor(row, now)],
  },
];
