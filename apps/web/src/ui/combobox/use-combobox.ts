import { useEffect, useId, useState, type KeyboardEvent, type MouseEvent } from 'react';

export type ComboboxOptions = Readonly<{
  /** Of the options in the list. A change makes no option, or the first one, active. */
  ids: readonly string[];
  isOpen: boolean;
  /** The first option is active from the beginning: Enter chooses it. */
  startsWithFirst?: boolean;
  onChoose: (index: number) => void;
  /** Escape was pressed while the list was open. */
  onDismiss?: () => void;
}>;

type InputProps = Readonly<{
  role: 'combobox';
  'aria-autocomplete': 'list';
  'aria-expanded': boolean;
  'aria-controls': string;
  'aria-activedescendant': string | undefined;
  autoComplete: 'off';
  spellCheck: false;
  onKeyDown: (event: KeyboardEvent) => void;
}>;

type OptionProps = Readonly<{
  id: string;
  role: 'option';
  'aria-selected': boolean;
  onMouseDown: (event: MouseEvent) => void;
  onMouseMove: () => void;
  onClick: () => void;
}>;

export type Combobox = Readonly<{
  active: number;
  inputProps: InputProps;
  listProps: Readonly<{ id: string; role: 'listbox' }>;
  optionProps: (index: number) => OptionProps;
}>;

const none = -1;

/** The option that a key leads to; undefined for a key that leads to none. */
export const activeAfter = (key: string, active: number, count: number): number | undefined => {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return active + 1 >= count ? 0 : active + 1;
    case 'ArrowUp':
      return active <= 0 ? count - 1 : active - 1;
    case 'PageDown':
      return Math.min(count - 1, Math.max(0, active) + 8);
    case 'PageUp':
      return Math.max(0, active - 8);
    default:
      return undefined;
  }
};

/**
 * A field with a list of options, by the pattern "combobox" of WAI-ARIA: the focus stays in the field, and the active option
 * is announced.
 */
export const useCombobox = (options: ComboboxOptions): Combobox => {
  const { ids, isOpen, startsWithFirst = false, onChoose, onDismiss } = options;
  const id = useId();
  const first = startsWithFirst ? 0 : none;
  const [chosen, setChosen] = useState(first);
  const [shownIds, setShownIds] = useState(ids);
  if (shownIds.join('\n') !== ids.join('\n')) {
    setShownIds(ids);
    setChosen(first);
  }
  const active = isOpen && chosen < ids.length ? chosen : none;
  const optionId = (index: number): string => `${id}-option-${index}`;
  useEffect(() => {
    if (active !== none)
      document.getElementById(`${id}-option-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !isOpen) return;
    if (event.key === 'Escape' && onDismiss) {
      event.preventDefault();
      onDismiss();
    } else if (event.key === 'Enter' && active !== none) {
      event.preventDefault();
      onChoose(active);
    } else {
      const next = activeAfter(event.key, active, ids.length);
      if (next === undefined) return;
      event.preventDefault();
      setChosen(next);
    }
  };
  return {
    active,
    inputProps: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isOpen && ids.length > 0,
      'aria-controls': `${id}-list`,
      'aria-activedescendant': active === none ? undefined : optionId(active),
      autoComplete: 'off',
      spellCheck: false,
      onKeyDown,
    },
    listProps: { id: `${id}-list`, role: 'listbox' },
    optionProps: (index) => ({
      id: optionId(index),
      role: 'option',
      'aria-selected': index === active,
      // The focus stays in the field.
      onMouseDown: (event) => event.preventDefault(),
      onMouseMove: () => setChosen(index),
      onClick: () => onChoose(index),
    }),
  };
};
