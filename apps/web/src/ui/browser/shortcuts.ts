import { useEffect, useLayoutEffect, useRef } from 'react';

/** Something a person does often, as data: what it is called, its key, and what happens. */
export type Shortcut = Readonly<{ id: string; key: string; label: string; perform: () => void }>;

const storageKey = 'tapedeck.shortcuts';
const registered = new Map<string, Shortcut>();

export const registeredShortcuts = (): readonly Shortcut[] => [...registered.values()];

/** Single keys disturb some who dictate or use switches, so they can be turned off. */
export const shortcutsAreOn = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
};

export const turnShortcuts = (on: boolean): void => {
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // Without storage they stay as they are.
  }
};

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="range"], [type="checkbox"], [type="radio"])'));

const isMeant = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.isComposing &&
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !takesText(event.target) &&
  !(event.target instanceof Element && event.target.closest('dialog, [role="menu"]')) &&
  shortcutsAreOn();

/** The one listener; mounted once, around everything that registers shortcuts. */
export const useShortcutKeys = (): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const shortcut = [...registered.values()].find(({ key }) => key === event.key);
      if (!shortcut || !isMeant(event)) return;
      event.preventDefault();
      shortcut.perform();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
};

/** Offers the shortcuts as long as the component is on the page. The list's ids must stay the same. */
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
