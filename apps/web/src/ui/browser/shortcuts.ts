import { useEffect, useLayoutEffect, useRef } from 'react';
import { storedText } from './stored-text.ts';

/** A frequent user action with a key of its own, as data. */
export type Shortcut = Readonly<{ id: string; key: string; label: string; perform: () => void }>;

const stored = storedText('tapedeck.shortcuts');
const registered = new Map<string, Shortcut>();

export const registeredShortcuts = (): readonly Shortcut[] => [...registered.values()];

/** Single keys disturb people who dictate or use switches, so they can be turned off. */
export const areShortcutsOn = (): boolean => stored.read() !== 'off';
export const setShortcutsOn = (isOn: boolean): void => stored.write(isOn ? null : 'off');

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="range"], [type="checkbox"], [type="radio"])'));

const isShortcutPress = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.isComposing &&
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !takesText(event.target) &&
  !(event.target instanceof Element && event.target.closest('dialog, [role="menu"]')) &&
  areShortcutsOn();

/** Listens for the keys of all shortcuts; mounted once, around everything that registers shortcuts. */
export const useShortcutKeys = (): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const shortcut = [...registered.values()].find(({ key }) => key === event.key);
      if (!shortcut || !isShortcutPress(event)) return;
      event.preventDefault();
      shortcut.perform();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
};

/** Registers the shortcuts while the component is mounted. The list's ids must stay the same. */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const latest = useRef(shortcuts);
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const ids = latest.current.map(({ id }) => id);
    for (const shortcut of latest.current) {
      registered.set(shortcut.id, {
        ...shortcut,
        perform: () => latest.current.find(({ id }) => id === shortcut.id)?.perform(),
      });
    }
    return () => ids.forEach((id) => registered.delete(id));
  }, []);
};
