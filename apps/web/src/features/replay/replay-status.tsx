import type { ReplaySummary } from '@tapedeck/replay/contract';
import type { JSX } from 'react';

const words = {
  tried: { text: 'dry run', look: 'badge--plain' },
  applying: { text: 'not complete', look: 'badge--accent' },
  applied: { text: 'applied', look: 'badge--ok' },
} as const;

export const ReplayStatus = ({ status }: Pick<ReplaySummary, 'status'>): JSX.Element => (
  <span className={`badge ${words[status].look}`}>{words[status].text}</span>
);
