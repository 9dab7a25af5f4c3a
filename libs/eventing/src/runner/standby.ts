import type { Projection } from '../projection.ts';

/** Stored in checkpoints, and as `_spare` in names of tables. */
const ending = ':spare';

/**
 * The standby build of a read model, beside the one that queries use: a rebuild while it is filled, and afterwards the
 * build that it has replaced. It has a checkpoint and parked events of its own.
 */
export const standbyOf = (projection: Projection): Projection => ({
  ...projection,
  name: `${projection.name}${ending}`,
  isStandby: true,
});

/** The name of the projection whose build has this checkpoint. */
export const baseNameOf = (name: string): string =>
  name.endsWith(ending) ? name.slice(0, -ending.length) : name;
