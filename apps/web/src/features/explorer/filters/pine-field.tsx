import { useId, useState, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { pineVersionTyped } from '../filter-state/filters.slice.ts';
import { decodePineVersion } from '../filter-state/filter-address.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

type Draft = Readonly<{
  text: string;
  isLeft: boolean;
  /** The version at that time: another one ends the draft. */
  of: number | null;
}>;

/** What can still become a version is not complained about while it is typed. */
const isBeginning = (text: string): boolean => /^\s*v?\d{0,2}\s*$/i.test(text);

const isWrong = ({ text, isLeft }: Draft): boolean =>
  text.trim() !== '' && decodePineVersion(text) === null && (isLeft || !isBeginning(text));

export const PineField = (): JSX.Element => {
  const [id, hintId] = [useId(), useId()];
  const dispatch = useDispatch();
  const { pineVersion } = useSelector(selectExplorer).filters;
  const [typed, setTyped] = useState<Draft | null>(null);
  const draft = typed?.of === pineVersion ? typed : null;
  const isProblem = draft !== null && isWrong(draft);

  const onTyped = (text: string): void => {
    const version = decodePineVersion(text);
    const stands = version !== null || text.trim() === '';
    setTyped({ text, isLeft: false, of: stands ? version : pineVersion });
    if (stands && version !== pineVersion) dispatch(pineVersionTyped(version));
  };

  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Pine Script version
      </label>
      <input
        className="input"
        id={id}
        placeholder="e.g. v5, v4"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        aria-invalid={isProblem}
        aria-describedby={hintId}
        value={draft?.text ?? (pineVersion === null ? '' : `v${pineVersion}`)}
        onChange={({ target }) => onTyped(target.value)}
        onBlur={() => setTyped((left) => left && { ...left, isLeft: true })}
      />
      <span className="error" id={hintId} aria-live="polite">
        {isProblem &&
          `Write one version, such as v5 or 5${pineVersion === null ? '' : `; v${pineVersion} still applies`}`}
      </span>
    </div>
  );
};
