import { useEffect, useId, useState, type JSX } from 'react';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { rangeOfText, rangeText, type LineRange } from './line-range.ts';

export const findFieldId = 'find-in-code';
const copiedForMs = 2_000;

/** Says for a while that it has copied. */
export const CopyCode = ({ code }: Readonly<{ code: string }>): JSX.Element => {
  const [copies, setCopies] = useState(0);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedForMs);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
      setCopies((count) => count + 1);
    } catch {
      const text = 'The browser does not allow it: select the code instead';
      showToast({ kind: 'danger', title: 'Not copied', text });
    }
  };
  return (
    <>
      <button className="btn btn--quiet btn--sm copy-code" type="button" onClick={() => void copy()}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span className="visually-hidden" role="status">
        {isCopied && 'The code is on your clipboard'}
      </span>
    </>
  );
};

type WrapCodeProps = Readonly<{ isWrapped: boolean; onWrap: (isWrapped: boolean) => void }>;

export const WrapCode = ({ isWrapped, onWrap }: WrapCodeProps): JSX.Element => (
  <button
    className="btn btn--quiet btn--sm"
    type="button"
    aria-pressed={isWrapped}
    onClick={() => onWrap(!isWrapped)}
  >
    <Icon name="wrap" />
    Wrap
  </button>
);

export type Find = Readonly<{
  wanted: string;
  /** From 0. */
  current: number;
  count: number;
  /** False when there are more than are counted. */
  isComplete: boolean;
  onWanted: (text: string) => void;
  onStep: (by: 1 | -1) => void;
}>;

const countText = ({ wanted, current, count, isComplete }: Find): string => {
  if (wanted === '') return '';
  if (count === 0) return 'Not found';
  return `${formatWhole(current + 1)} of ${formatWhole(count)}${isComplete ? '' : '+'}`;
};

const FindField = ({ find }: Readonly<{ find: Find }>): JSX.Element => (
  <div className="code-find" role="search" aria-label="Code">
    <span className="with-icon">
      <Icon name="search" small />
      <input
        id={findFieldId}
        className="input input--sm"
        type="text"
        placeholder="Find in code"
        aria-label="Find in code"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={find.wanted}
        onChange={({ target }) => find.onWanted(target.value)}
        onKeyDown={({ key, shiftKey }) => {
          if (key === 'Enter') find.onStep(shiftKey ? -1 : 1);
          if (key === 'Escape') find.onWanted('');
        }}
      />
      <span className="code-count" role="status">
        {countText(find)}
      </span>
    </span>
    {([-1, 1] as const).map((by) => (
      <button
        key={by}
        className="btn btn--quiet btn--icon btn--sm"
        type="button"
        aria-label={by === 1 ? 'Next match' : 'Previous match'}
        disabled={find.count < 2}
        onClick={() => find.onStep(by)}
      >
        <Icon name={by === 1 ? 'down' : 'up'} small />
      </button>
    ))}
  </div>
);

export type LineFieldProps = Readonly<{
  lineCount: number;
  marked: LineRange | null;
  onMark: (range: LineRange | null) => void;
}>;

/** The marked lines; marks others without a click on their number, which is small and has no place in the tab order. */
const LineField = ({ lineCount, marked, onMark }: LineFieldProps): JSX.Element => {
  const hintId = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const go = (): void => {
    const text = draft ?? '';
    const range = rangeOfText(text, lineCount);
    const isEmpty = text.trim() === '';
    setWrong(range === null && !isEmpty);
    if (draft === null || (range === null && !isEmpty)) return;
    setDraft(null);
    onMark(range);
  };
  return (
    <form
      className="code-line"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <span id={hintId} className={isWrong ? 'error' : 'visually-hidden'} role="status">
        {isWrong ? `1 to ${formatWhole(lineCount)}` : 'One line or a range such as 12-20'}
      </span>
      <span className="line-field">
        <input
          className="input input--sm"
          type="text"
          placeholder="Line"
          aria-label="Go to line"
          aria-invalid={isWrong}
          aria-describedby={hintId}
          autoComplete="off"
          maxLength={16}
          value={draft ?? (marked ? rangeText(marked) : '')}
          onChange={({ target }) => {
            setDraft(target.value);
            setWrong(false);
          }}
        />
        {marked && draft === null && (
          <button className="chip-x" type="button" aria-label="Unmark the lines" onClick={() => onMark(null)}>
            <Icon name="x" small />
          </button>
        )}
      </span>
    </form>
  );
};

export type CodeToolsProps = LineFieldProps & Readonly<{ find: Find }>;

export const CodeTools = ({ find, ...lines }: CodeToolsProps): JSX.Element => (
  <div className="code-tools">
    <FindField find={find} />
    <LineField {...lines} />
  </div>
);
