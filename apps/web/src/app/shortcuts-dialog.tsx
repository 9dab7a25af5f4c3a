import { useState, type JSX } from 'react';
import { areShortcutsOn, registeredShortcuts, setShortcutsOn } from '../ui/browser/shortcuts.ts';
import { Dialog } from '../ui/dialog.tsx';

export type ShortcutsDialogProps = Readonly<{ isOpen: boolean; onClose: () => void }>;

const titleId = 'shortcuts-title';

const fixedKeys: readonly Readonly<{ key: string; label: string }>[] = [
  { key: 'Ctrl K', label: 'Commands' },
  { key: 'F8', label: 'Go to the notification' },
];

const Keys = (): JSX.Element => (
  <dl className="facts">
    {[...registeredShortcuts(), ...fixedKeys].map(({ key, label }) => (
      <div key={key}>
        <dt>{label}</dt>
        <dd>
          <kbd className="key">{key}</kbd>
        </dd>
      </div>
    ))}
  </dl>
);

/** Lists the keyboard shortcuts and can turn them off. */
export const ShortcutsDialog = ({ isOpen, onClose }: ShortcutsDialogProps): JSX.Element => {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Dialog isOpen={isOpen} titleId={titleId} onClose={onClose}>
      <div className="dialog-body">
        <h2 id={titleId}>Keyboard shortcuts</h2>
        <Keys />
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn}
            checked={isOn}
            onChange={({ target }) => {
              setShortcutsOn(target.checked);
              setOn(target.checked);
            }}
          />
          Single keys act anywhere on the page
        </label>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
};
