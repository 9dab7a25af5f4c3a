import type { MoneyAction, MoneyActionEvent, PaymentPart } from '@tapedeck/payments/events';
import type { EventTexts } from './event-texts.ts';
import { money } from './words.ts';

const refundText = (refunds: readonly PaymentPart[], currency: string): string =>
  refunds.map(({ invoiceId, amount }) => `${money(amount, currency)} of invoice ${invoiceId}`).join(' and ');

type Shown = Readonly<{ action: MoneyAction; refunds: readonly PaymentPart[]; currency: string }>;

/** What support does, as a clause without a subject. */
const actionText = ({ action, refunds, currency }: Shown, subscriptionId: string): string => {
  switch (action.kind) {
    case 'refund':
      return `refund ${refundText(refunds, currency)}`;
    case 'cancel':
      return `end subscription ${subscriptionId} with its period`;
    case 'resume':
      return `resume subscription ${subscriptionId}`;
    case 'end':
      return `end subscription ${subscriptionId} at once and refund ${refunds.length === 0 ? 'nothing' : refundText(refunds, currency)}`;
    case 'retry':
      return `charge ${money(action.amount, currency)} of invoice ${action.invoiceId} once more`;
    case 'attach':
      return `give purchase ${subscriptionId} to account ${action.toAccountId}`;
    case 'transfer':
      return `transfer purchase ${subscriptionId} to account ${action.toAccountId}`;
    default:
      return action satisfies never;
  }
};

/** What support has done about purchases. */
export const moneyActionTexts: EventTexts<MoneyActionEvent> = {
  MoneyActionTaken: {
    lane: 'admin',
    text: ({ subscriptionId, by, approvedBy, ...shown }) =>
      approvedBy === null
        ? `Support: ${actionText(shown, subscriptionId)}`
        : `Approved, as account ${by} has proposed: ${actionText(shown, subscriptionId)}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  MoneyActionProposed: {
    lane: 'admin',
    text: ({ subscriptionId, ...shown }) =>
      `Proposed, for the approval of another admin: ${actionText(shown, subscriptionId)}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  MoneyActionRejected: {
    lane: 'admin',
    text: ({ isWithdrawn }) =>
      isWithdrawn ? 'The proposal was withdrawn' : 'The proposal was rejected by another admin',
  },
  MoneyActionExpired: { lane: 'admin', text: () => 'The proposal has expired: nobody has approved it' },
};
