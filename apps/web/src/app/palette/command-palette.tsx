import { useState, type JSX } from 'react';
import { SessionsDialog } from '../../features/identity/sessions-dialog.tsx';
import { useControlKey } from '../../ui/browser/shortcuts.ts';
import { useCombobox, type Combobox } from '../../ui/combobox/use-combobox.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { groupEntries } from './match-entries.ts';
import { useEntries, type Entry, type PaletteActions } from './use-entries.ts';

const titleId = 'palette-title';

type LineProps = Readonly<{ entry: Entry; index: number; optionProps: Combobox['optionProps'] }>;

const Line = ({ entry: { name, more, key }, index, optionProps }: LineProps): JSX.Element => (
  <div className="combo-option" {...optionProps(index)}>
    <span className="combo-name">{name}</span>
    {more !== undefined && <span className="combo-more">{more}</span>}
    {key !== undefined && <kbd className="key">{key}</kbd>}
  </div>
);

type ContentProps = PaletteActions & Readonly<{ onClose: () => void }>;

const Content = ({ onClose, ...actions }: ContentProps): JSX.Element => {
  const [text, setText] = useState('');
  const groups = groupEntries(useEntries(text, actions));
  const entries = groups.flatMap(([, own]) => own);
  const { inputProps, listProps, optionProps } = useCombobox({
    ids: entries.map(({ id }) => id),
    isOpen: true,
    startsWithFirst: true,
    onChoose: (index) => {
      onClose();
      // What it does may move the focus, which the closing dialog would take back.
      requestAnimationFrame(() => entries[index]?.perform());
    },
  });
  return (
    <>
      <h2 className="visually-hidden" id={titleId}>
        Commands
      </h2>
      <div className="palette-field">
        <div className="with-icon">
          <Icon name="search" />
          {/* oxlint-disable jsx-a11y/no-autofocus -- the dialog was opened to type into it */}
          <input
            className="input"
            type="text"
            aria-label="Pages, actions and members"
            placeholder="Where to, or what to do?"
            maxLength={255}
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
            {...inputProps}
          />
          {/* oxlint-enable jsx-a11y/no-autofocus */}
        </div>
      </div>
      <div className="palette-list" aria-label="Commands" {...listProps}>
        {groups.map(([group, own], place) => (
          <div key={group} role="group" aria-labelledby={`palette-group-${place}`}>
            <div className="palette-group" id={`palette-group-${place}`} role="presentation">
              {group}
            </div>
            {own.map((entry) => (
              <Line key={entry.id} entry={entry} index={entries.indexOf(entry)} optionProps={optionProps} />
            ))}
          </div>
        ))}
      </div>
      <p className={entries.length === 0 ? 'combo-empty' : 'visually-hidden'} role="status">
        {entries.length === 0
          ? `Nothing matches “${text.trim()}”.`
          : `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`}
      </p>
      <p className="palette-hint meta" aria-hidden="true">
        <kbd className="key">↑</kbd> <kbd className="key">↓</kbd> choose <kbd className="key">Enter</kbd> open{' '}
        <kbd className="key">Esc</kbd> close
      </p>
    </>
  );
};

export type CommandPaletteProps = Readonly<{
  /** Only for somebody who is signed in. */
  isOn: boolean;
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  onShowShortcuts: () => void;
}>;

/** Ctrl-K or Cmd-K: every page and action of the role, by name. */
export const CommandPalette = (props: CommandPaletteProps): JSX.Element => {
  const { isOn, isOpen, onOpen, onClose, onShowShortcuts } = props;
  const [areSessionsOpen, setSessionsOpen] = useState(false);
  useControlKey('k', isOpen ? onClose : onOpen, isOn);
  return (
    <>
      <Dialog isOpen={isOpen} titleId={titleId} className="palette" isPalette onClose={onClose}>
        <Content
          onClose={onClose}
          onShowShortcuts={onShowShortcuts}
          onShowSessions={() => setSessionsOpen(true)}
        />
      </Dialog>
      <SessionsDialog isOpen={areSessionsOpen} onClose={() => setSessionsOpen(false)} />
    </>
  );
};
