import type { FoundMember } from '@tapedeck/audit/contract';
import { useState, type JSX } from 'react';
import { useCombobox } from '../../ui/combobox/use-combobox.ts';
import { useSettled } from '../../ui/browser/use-settled.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFoundMembersQuery } from './audit.api.ts';
import { MembershipBadge } from './membership-badge.tsx';

export const minSearchLength = 2;
const settleMs = 180;
const maxSuggestions = 8;

export type MemberSuggestions = Readonly<{ members: readonly FoundMember[]; isLoading: boolean }>;

/** The members that a text in a field may mean, while it is typed. */
export const useMemberSuggestions = (text: string, isWanted: boolean): MemberSuggestions => {
  const asked = useSettled(text.trim(), settleMs);
  const isShort = asked.length < minSearchLength || text.trim().length < minSearchLength;
  const { currentData, isFetching } = useFoundMembersQuery(asked, { skip: isShort || !isWanted });
  return {
    members: isShort || !isWanted ? [] : (currentData?.members ?? []).slice(0, maxSuggestions),
    isLoading: isFetching || asked !== text.trim(),
  };
};

export type MemberFieldProps = Readonly<{
  text: string;
  onText: (text: string) => void;
  onChoose: (member: FoundMember) => void;
}>;

/** Suggests members while anything that a ticket may name is typed. */
export const MemberField = ({ text, onText, onChoose }: MemberFieldProps): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const { members } = useMemberSuggestions(text, isOpen);
  const close = (): void => setOpen(false);
  const choose = (index: number): void => {
    const member = members[index];
    if (!member) return;
    close();
    onChoose(member);
  };
  const { inputProps, listProps, optionProps } = useCombobox({
    ids: members.map(({ accountId }) => accountId),
    isOpen: isOpen && members.length > 0,
    onChoose: choose,
    onDismiss: close,
  });
  return (
    <div className="combo">
      <div className="with-icon">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label="E-mail, name or id"
          placeholder="E-mail, name or id"
          maxLength={255}
          minLength={minSearchLength}
          value={text}
          {...inputProps}
          onChange={({ target }) => {
            onText(target.value);
            setOpen(true);
          }}
          onKeyDown={(event) => {
            inputProps.onKeyDown(event);
            // The search is sent: its result must not be under a list that comes later.
            if (event.key === 'Enter' && !event.defaultPrevented) close();
          }}
          onBlur={close}
        />
      </div>
      <ul
        className="combo-list"
        aria-label="Suggested members"
        hidden={!isOpen || members.length === 0}
        {...listProps}
      >
        {members.map(({ accountId, email, name, tier, status }, index) => (
          <li key={accountId} className="combo-option" {...optionProps(index)}>
            <span className="combo-name">{email ?? 'Deleted account'}</span>
            <span className="combo-more only-wide">{name}</span>
            <MembershipBadge tier={tier} status={status} />
          </li>
        ))}
      </ul>
      <span className="visually-hidden" role="status">
        {isOpen && members.length > 0
          ? `${members.length} ${members.length === 1 ? 'suggestion' : 'suggestions'}; choose by the arrow keys`
          : ''}
      </span>
    </div>
  );
};
