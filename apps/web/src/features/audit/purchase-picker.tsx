import type { FoundMembers } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { formatDay } from '../../ui/format.ts';
import { FoundSearch } from './found-search.tsx';

type Purchase = FoundMembers['purchases'][number];

export type PurchasePickerProps = Readonly<{
  chosen: string | null;
  onChoose: (purchase: Purchase) => void;
}>;

/** Finds a purchase without an owner by anything that a ticket may name. */
export const PurchasePicker = ({ chosen, onChoose }: PurchasePickerProps): JSX.Element => (
  <FoundSearch
    label="Find another: e-mail of the buyer, or id"
    countOf={({ purchases }) => purchases.length}
    render={({ purchases }) => (
      <ul className="picker" aria-label="Purchases">
        {purchases.map((purchase) => (
          <li key={purchase.subscriptionId}>
            <button
              className="picker-choice"
              type="button"
              aria-pressed={purchase.subscriptionId === chosen}
              onClick={() => onChoose(purchase)}
            >
              <span>{purchase.email ?? 'Deleted buyer'}</span>
              <span className="meta">
                <span className="mono">{purchase.subscriptionId}</span>, paid {formatDay(purchase.paidAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    )}
  />
);
