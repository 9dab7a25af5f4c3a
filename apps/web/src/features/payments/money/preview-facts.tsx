import type { ActionPreview } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { formatMoney } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { accessChange, endText } from './money-words.ts';

type Fact = readonly [name: string, value: string];

const moneyFacts = ({ action, refunded, charged, card, currency }: ActionPreview): readonly Fact[] => {
  const cardText = card === null ? null : `${card.brand} •••• ${card.last4}`;
  if (charged !== null)
    return [
      ['Is charged', formatMoney(charged, currency)],
      ['To the card', cardText ?? 'of the subscription'],
    ];
  if (action.kind === 'refund' || action.kind === 'end')
    return [['Goes back', refunded === 0 ? 'nothing' : formatMoney(refunded, currency)]];
  const nothing: Fact = ['Money', 'nothing is charged or refunded'];
  return cardText === null
    ? [nothing]
    : [nothing, ['Card', `${cardText}: it goes on being charged, and the new owner does not see it`]];
};

const factsOf = (preview: ActionPreview): readonly Fact[] => [
  ...moneyFacts(preview),
  ['Subscription', endText(preview)],
  ...preview.access.map((change): Fact => {
    const whose = preview.access.length > 1 ? ` of ${change.accountName ?? change.accountId}` : '';
    return [`Access${whose}`, accessChange(change)];
  }),
];

/** What an action would do, before it is confirmed. */
export const PreviewFacts = ({ preview }: Readonly<{ preview: ActionPreview }>): JSX.Element => (
  <>
    <dl className="facts money-preview">
      {factsOf(preview).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {preview.needsApproval && (
      <div className="notice notice--warn">
        <Icon name="warn" />
        <p>
          This is above {formatMoney(preview.limit, preview.currency)}: nothing happens until another admin
          has approved it. A proposal expires after 7 days.
        </p>
      </div>
    )}
  </>
);
