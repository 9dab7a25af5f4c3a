import type { FoundMembers } from '@tapedeck/audit/contract';
import { useCallback, useRef, type JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { FoundSearch } from './found-search.tsx';

type Member = Readonly<{ accountId: string; name: string }>;

export type MemberPickerProps = Readonly<{
  chosen: Member | null;
  /** Null when another one is to be chosen. */
  onChoose: (member: Member | null) => void;
}>;

const Choices = ({
  members,
  onChoose,
}: Pick<FoundMembers, 'members'> & Pick<MemberPickerProps, 'onChoose'>) => (
  <ul className="picker" aria-label="Members">
    {members.map(({ accountId, email, tier, status }) => (
      <li key={accountId}>
        <button
          className="picker-choice"
          type="button"
          onClick={() => onChoose({ accountId, name: email ?? accountId })}
        >
          <span>{email ?? 'Deleted account'}</span>
          <span className="meta">
            {tier} · {status}
          </span>
        </button>
      </li>
    ))}
  </ul>
);

/** The member that something is about, found by anything that a ticket may name. The focus stays here when that changes. */
export const MemberPicker = ({ chosen, onChoose }: MemberPickerProps): JSX.Element => {
  const hasChanged = useRef(false);
  const focusChanged = useCallback((element: HTMLElement | null): void => {
    if (hasChanged.current) element?.focus();
  }, []);
  const change = (member: Member | null): void => {
    hasChanged.current = true;
    onChoose(member);
  };
  return chosen ? (
    <div className="row picker-chosen">
      <Icon name="user" small />
      <strong>{chosen.name}</strong>
      <button
        ref={focusChanged}
        className="btn btn--sm btn--quiet"
        type="button"
        onClick={() => change(null)}
      >
        Choose another member
      </button>
    </div>
  ) : (
    <FoundSearch
      label="E-mail, name or id of the member"
      field={focusChanged}
      countOf={({ members }) => members.length}
      render={({ members }) => <Choices members={members} onChoose={change} />}
    />
  );
};
