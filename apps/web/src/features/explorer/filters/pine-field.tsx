import { useId, useState, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { pineVersionTyped, selectFilters } from '../filter-state/filters.slice.ts';
import { decodePineVersion } from '../filter-state/filters.ts';

type Draft = Readonly<{
  text: string;
  isBlurred: boolean;
  /** The version while this was typed: a new version discards the draft. */
  basedOn: number | null;
}>;

/** A text that may still become a version is not reported while it is typed. */
const isIncomplete = (text: string): boolean => /^\s*v?\d{0,2}\s*$/i.test(text);

const isInvalid = ({ text, isBlurred }: Draft): boolean =>
  text.trim() !== '' && decodePineVersion(text) === null && (isBlurred || !isIncomplete(text));

export const PineField = (): JSX.Element => {
  const [id, hintId] = [useId(), useId()];
  const dispatch = useDispatch();
  const { pineVersion } = useSelector(selectFilters);
  const [typed, setTyped] = useState<Draft | null>(null);
  const draft = typed?.basedOn === pineVersion ? typed : null;
  const isProblem = draft !== null && isInvalid(draft);

  const onTyped = (text: string): void => {
    const version = decodePineVersion(text);
    const isValid = version !== null || text.trim() === '';
    setTyped({ text, isBlurred: false, basedOn: isValid ? version : pineVersion });
    if (isValid && version !== pineVersion) dispatch(pineVersionTyped(version));
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
        onBlur={() => setTyped((last) => last && { ...last, isBlurred: true })}
      />
      <span className="error" id={hintId} aria-live="polite">
        {isProblem &&
          `Enter one version, such as v5 or 5${pineVersion === null ? '' : `; v${pineVersion} still applies`}`}
      </span>
    </div>
  );
};
