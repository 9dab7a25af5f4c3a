import { useMemo, useState, type JSX } from 'react';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';

export type PineCodeProps = Readonly<{ code: string; version: number | null }>;

const copy = async (code: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(code);
    showToast({ kind: 'ok', title: 'Copied', text: 'The code is on your clipboard' });
  } catch {
    showToast({
      kind: 'danger',
      title: 'Not copied',
      text: 'The browser does not allow it: select the code instead',
    });
  }
};

type ToolsProps = Readonly<{ code: string; isWrapped: boolean; onWrap: (isWrapped: boolean) => void }>;

const Tools = ({ code, isWrapped, onWrap }: ToolsProps): JSX.Element => (
  <span className="push row">
    <button
      className="btn btn--quiet btn--sm"
      type="button"
      aria-pressed={isWrapped}
      onClick={() => onWrap(!isWrapped)}
    >
      <Icon name="wrap" />
      Wrap
    </button>
    <button className="btn btn--quiet btn--sm" type="button" onClick={() => void copy(code)}>
      <Icon name="copy" />
      Copy
    </button>
  </span>
);

export const PineCode = ({ code, version }: PineCodeProps): JSX.Element => {
  const lines = useMemo(() => code.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/), [code]);
  const [isWrapped, setWrapped] = useState(false);
  const name = `Pine Script${version === null ? '' : ` v${version}`}`;
  const length = `${formatWhole(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`;
  return (
    <section className="code" aria-label="Source code">
      <div className="code-head">
        <h2>{name}</h2>
        <span className="meta">{length}</span>
        <Tools code={code} isWrapped={isWrapped} onWrap={setWrapped} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className="code-body" tabIndex={0} role="region" aria-label={`${name}, ${length}`}>
        <pre data-wrapped={isWrapped || undefined}>
          <code>
            {lines.map((line, at) => (
              <span key={at} className="line">
                {line}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
      </div>
    </section>
  );
};
