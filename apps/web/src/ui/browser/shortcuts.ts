import { useEffect, useLayoutEffect, useRef } from 'react';
import { storedText } from './stored-text.ts';

/** A user action as data: what the command palette lists while the component that registers it is mounted. */
export type Command = Readonly<{
  id: string;
  label: string;
  /** Other words by which it is found. */
  keywords?: string;
  /** A key of its own, for a frequent one. */
  key?: string;
  perform: () => void;
}>;

export type Shortcut = Command & Readonly<{ key: string }>;

const stored = storedText('tapedeck.shortcuts');
const registered = new Map<string, Command>();

export const registeredCommands = (): readonly Command[] => [...registered.values()];

const hasKey = (command: Command): command is Shortcut => command.key !== undefined;

export const registeredShortcuts = (): readonly Shortcut[] => registeredCommands().filter(hasKey);

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
  useLayoutEffect(() => {
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

/**
 * Registers the commands while the component is mounted: their keys work from the moment that it is shown. The list's ids must
 * stay the same.
 */
export const useCommands = (commands: readonly Command[]): void => {
  const latest = useRef(commands);
  useLayoutEffect(() => {
    latest.current = commands;
  });
  useLayoutEffect(() => {
    const ids = latest.current.map(({ id }) => id);
    for (const command of latest.current) {
      registered.set(command.id, {
        ...command,
        perform: () => latest.current.find(({ id }) => id === command.id)?.perform(),
      });
    }
    return () => ids.forEach((id) => registered.delete(id));
  }, []);
};

/** Of a key with Ctrl, or with Cmd on a Mac: it acts from text fields too, but not over a dialog. */
export const useControlKey = (key: string, perform: () => void, isOn: boolean): void => {
  const latest = useRef(perform);
  useLayoutEffect(() => {
    latest.current = perform;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPressed = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isPressed || event.key.toLowerCase() !== key || event.isComposing) return;
      if (document.querySelector('dialog[open]:not([data-palette])')) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [key, isOn]);
};
