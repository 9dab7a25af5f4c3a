import { useEffect, useMemo, useRef, useState, type JSX, type KeyboardEvent, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { formatWhole } from '../../../ui/format.ts';
import { CodeTools, CopyCode, findFieldId, WrapCode } from './code-tools.tsx';
import { findMatches } from './find-matches.ts';
import { hashOf, rangeOfHash, type LineRange } from './line-range.ts';
import { pineVersionOf } from './pine-version.ts';
import { usePineViewer } from './use-pine-viewer.ts';

export type PineCodeProps = Readonly<{ code: string; statedVersion: number | null }>;

type MarkedLines = Readonly<{ marked: LineRange | null; mark: (range: LineRange | null) => void }>;

/** The lines in the address, such as `#L12-L20`. */
const useMarkedLines = (lineCount: number): MarkedLines => {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  const marked = useMemo(() => rangeOfHash(hash, lineCount), [hash, lineCount]);
  const mark = (range: LineRange | null): void => {
    const to = { search, hash: range ? hashOf(range) : '' };
    void navigate(to, { replace: true, preventScrollReset: true, state });
  };
  return { marked, mark };
};

/** Goes to the code when the page is opened by a link to lines of it. */
const useScrollOnArrival = (section: RefObject<HTMLElement | null>, hasLines: boolean): void => {
  const isDue = useRef(hasLines);
  useEffect(() => {
    if (isDue.current) section.current?.scrollIntoView({ block: 'start' });
    isDue.current = false;
  }, [section]);
};

/** What stands there until the viewer is loaded, and for good where it cannot be. */
const PlainCode = ({
  text,
  lineCount,
  label,
  isWrapped,
}: Readonly<{ text: string; lineCount: number; label: string; isWrapped: boolean }>): JSX.Element => {
  const numbers = useMemo(() => Array.from({ length: lineCount }, (_, at) => at + 1).join('\n'), [lineCount]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="code-plain" tabIndex={0} role="region" aria-label={label}>
      {!isWrapped && (
        <pre className="code-numbers" aria-hidden="true">
          {numbers}
        </pre>
      )}
      <pre className="code-text" data-wrapped={isWrapped || undefined}>
        <code>{text}</code>
      </pre>
    </div>
  );
};

/** The source code, with its licence header, as its author has written it. */
export const PineCode = ({ code, statedVersion }: PineCodeProps): JSX.Element => {
  const text = useMemo(() => code.replace(/\r\n?/g, '\n').replace(/\n$/, ''), [code]);
  const lineCount = useMemo(() => text.split('\n').length, [text]);
  const version = useMemo(() => pineVersionOf(code, statedVersion), [code, statedVersion]);
  const [isWrapped, setWrapped] = useState(false);
  const [wanted, setWanted] = useState('');
  const [current, setCurrent] = useState(0);
  const found = useMemo(() => findMatches(text, wanted), [text, wanted]);
  const { marked, mark } = useMarkedLines(lineCount);
  const section = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  useScrollOnArrival(section, marked !== null);

  const name = `Pine Script${version === null ? '' : ` v${version}`}`;
  const length = `${formatWhole(lineCount)} ${lineCount === 1 ? 'line' : 'lines'}`;
  const label = `${name}, ${length}`;
  const { matches } = found;
  const isOpen = usePineViewer(host, {
    text,
    version,
    label,
    isWrapped,
    matches,
    current,
    marked,
    onMark: mark,
  });
  const step = (by: number): void => {
    if (matches.length > 0) setCurrent((current + by + matches.length) % matches.length);
  };
  const findInstead = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    document.getElementById(findFieldId)?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl+F finds text here, not on the page
    <section className="code" aria-label="Source code" ref={section} onKeyDown={findInstead}>
      <div className="code-head">
        <h2>{name}</h2>
        <span className="meta">{length}</span>
        <span className="push code-buttons">
          <WrapCode isWrapped={isWrapped} onWrap={setWrapped} />
          <CopyCode code={code} />
        </span>
      </div>
      <CodeTools
        lineCount={lineCount}
        find={{
          wanted,
          current,
          count: matches.length,
          isComplete: found.isComplete,
          onWanted: (next) => {
            setWanted(next);
            setCurrent(0);
          },
          onStep: step,
        }}
        marked={marked}
        onMark={mark}
      />
      <div className="code-viewer" ref={host} />
      {!isOpen && <PlainCode text={text} lineCount={lineCount} label={label} isWrapped={isWrapped} />}
      <pre className="code-print">{text}</pre>
    </section>
  );
};
