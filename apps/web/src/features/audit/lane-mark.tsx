import type { Lane } from '@tapedeck/audit/contract';
import type { JSX } from 'react';

/** The shape of a lane's events: it says the same as their colour. */
export const LaneMark = ({ lane }: Readonly<{ lane: Lane }>): JSX.Element => (
  <i className={`ev ev--${lane}`} aria-hidden="true" />
);
