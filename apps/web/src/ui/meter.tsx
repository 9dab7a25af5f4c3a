import type { JSX, ReactNode } from 'react';
import { Figure } from './figure.tsx';

export type MeterProps = Readonly<{
  name: string;
  kind: 'pnl' | 'loss' | 'dd' | 'pf' | 'sharpe';
  lit: number;
  /** The figure as words; colours only by `tone`. */
  text: string;
  tone?: 'gain' | 'loss' | undefined;
}>;

/** A segmented bar; the figure beside it says the same. */
export const Meter = ({ name, kind, lit, text, tone }: MeterProps): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span className={`meter meter--${kind}`} style={{ '--n': lit }} />
      <Figure text={text} className={tone ?? ''} />
    </dd>
  </div>
);

export const Meters = ({ children }: Readonly<{ children: ReactNode }>): JSX.Element => (
  <dl className="meters">{children}</dl>
);
