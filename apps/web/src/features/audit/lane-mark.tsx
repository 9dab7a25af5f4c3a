import type { Lane } from '@tapedeck/audit/contract';
import type { JSX } from 'react';

export type LaneMarkProps = Readonly<{ lane: Lane; isFailure?: boolean }>;

/** The shape of a lane; a failure is red and crossed. */
export const LaneMark = ({ lane, isFailure = false }: LaneMarkProps): JSX.Element => (
  <i className={`ev ev--${lane} ${isFailure ? 'is-failure' : ''}`} aria-hidden="true" />
);
