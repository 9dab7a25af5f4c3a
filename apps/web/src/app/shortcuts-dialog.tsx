import { useEffect, useRef, useState, type JSX } from 'react';
import { registeredShortcuts, shortcutsAreOn, turnShortcuts } from '../ui/browser/shortcuts.ts';

export type ShortcutsDialogProps = Readonly<{ isOpen: boolean; onClose: () => void }>;

const fixedKeys: readonly Readonly<{ key: string; label: string }>[] = [
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

export const ShortcutsDialog = ({ isOpen, onClose }: ShortcutsDialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(shortcutsAreOn);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="shortcuts-title" onClose={onClose}>
      {isOpen && (
        <>
          <div className="dialog-body">
            <h2 id="shortcuts-title">Keyboard shortcuts</h2>
            <Keys />
            <label className="switch">
              <input
                type="checkbox"
                role="switch"
                aria-checked={isOn}
                checked={isOn}
                onChange={({ target }) => {
                  turnShortcuts(target.checked);
                  setOn(target.checked);
                }}
              />
              Single keys act anywhere on the page
            </label>
          </div>
          <div className="dialog-actions">
            <button className="btn" type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </>
      )}
    </dialog>
  );
};
