export * from './projection.ts';
export { dropVersion, switchBack } from './runner/go-live.ts';
export type { ProjectorLogger } from './runner/logger.ts';
export { projectToEnd, type ProjectToEndOptions } from './runner/project-to-end.ts';
export { checkpointOf } from './runner/checkpoint.ts';
export { storedTable } from './runner/names.ts';
export { projectionStatus, type ProjectionStatus, type StatusOptions } from './runner/projection-status.ts';
export {
  poolOf,
  startProjector,
  type ProjectionDatabases,
  type Projector,
  type ProjectorOptions,
} from './runner/projector.ts';
export { dumpReadModel, rebuildInto, type RebuildOptions } from './runner/read-model-dump.ts';
export { replayParked, type Replayed, type ReplayOptions } from './runner/replay-parked.ts';
export { waitForPosition } from './runner/wait-for-position.ts';
